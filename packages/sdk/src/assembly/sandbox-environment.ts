import type { ToolSandbox } from '@robota-sdk/agent-core';
import { createLocalSandbox } from '@robota-sdk/agent-tools';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';

/** Where the commands of a session run: the caller's sandbox, or this machine, held as the settings say. */
export function commandSandbox(
  options: Pick<AssembledSessionOptions, 'sandbox' | 'aroundSandbox' | 'cwd' | 'confine'>,
  config: ResolvedConfig,
): ToolSandbox {
  const { aroundSandbox, confine = config.sandbox } = options;
  const inner = innerSandbox(options, config);
  // Where every command is to be held, none runs where nothing holds it.
  if (!aroundSandbox) return inner;
  const outer = aroundSandbox(inner, config.env ?? {});
  return confine === 'on' ? { ...outer, run: inner.run } : outer;
}

function innerSandbox(
  options: Pick<AssembledSessionOptions, 'sandbox' | 'cwd' | 'confine'>,
  config: ResolvedConfig,
): ToolSandbox {
  const { sandbox, cwd, confine = config.sandbox } = options;
  const { env = {}, toolEnv, permissions } = config;
  if (sandbox) return Object.keys(env).length === 0 ? sandbox : withEnvironment(sandbox, env);
  const roots = [cwd, ...(permissions?.additionalDirectories ?? [])];
  return createLocalSandbox({ env, confine, roots, passEnvironment: toolEnv?.pass });
}

/** A sandbox whose commands see these variables besides its own. */
function withEnvironment(sandbox: ToolSandbox, env: Readonly<Record<string, string>>): ToolSandbox {
  const exports = Object.entries(env)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('; ');
  return {
    ...sandbox,
    run: (command, options) => sandbox.run(`${exports}; ${command}`, options),
  };
}
