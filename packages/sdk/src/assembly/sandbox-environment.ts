import type { ToolSandbox } from '@robota-sdk/agent-core';

/** A sandbox whose commands see these variables besides its own. */
export function withEnvironment(
  sandbox: ToolSandbox,
  env: Readonly<Record<string, string>>,
): ToolSandbox {
  const exports = Object.entries(env)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('; ');
  return {
    ...sandbox,
    run: (command, options) => sandbox.run(`${exports}; ${command}`, options),
  };
}

/** The same sandbox where there are no variables to add. */
export function environmentOf(
  sandbox: ToolSandbox,
  env: Readonly<Record<string, string>> = {},
): ToolSandbox {
  return Object.keys(env).length === 0 ? sandbox : withEnvironment(sandbox, env);
}
