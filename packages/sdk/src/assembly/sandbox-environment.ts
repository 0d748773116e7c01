import type { ToolSandbox } from '@robota-sdk/agent-core';
import { createLocalSandbox } from '@robota-sdk/agent-tools';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';

/** Where the commands of a session run: the caller's sandbox, or this machine, confined as settings say. */
export function commandSandbox(
  options: Pick<AssembledSessionOptions, 'sandbox' | 'aroundSandbox' | 'cwd' | 'confine'>,
  config: ResolvedConfig,
): ToolSandbox {
  const { aroundSandbox, confine = config.sandbox } = options;
  const inner = innerSandbox(options, config);
  // With `confine: 'on'` commands stay in the inner sandbox, because the outer one may not confine them.
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

/** A sandbox whose commands also see these variables. */
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
