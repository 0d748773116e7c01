import type { HooksConfig } from './hook.ts';
import { type ReadHooksOptions, readHooksConfig } from './read-hooks-config.ts';

/**
 * Parses hooks in Claude Code's format strictly: anything that would lose one of our hooks is an error that names the
 * source and the field. Foreign events and fields are ignored.
 */
export function parseHooksConfig(
  value: unknown,
  source: string,
  options: ReadHooksOptions = {},
): HooksConfig {
  const { hooks, problems } = readHooksConfig(value, options);
  const lost = problems.find(({ isLeftOut }) => isLeftOut);
  if (!lost) return hooks;
  throw Object.assign(
    new Error(`Cannot read hooks from ${source}: ${lost.field} ${lost.problem}`),
    { code: 'invalid_hooks' },
  );
}
