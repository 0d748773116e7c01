import type { RunHooksOptions } from './configured-hooks.ts';
import type { HookEvent, HookInput, HookOutcome, HooksConfig, HookTypeExecutor } from './hook.ts';

/**
 * Runs all matching hooks, one after another, and returns their combined outcome. It never rejects. The first block
 * ends the series, except for events that cannot be blocked: there every hook runs. Hooks get a tool's input under
 * Claude Code's names and ours; a replaced input is passed to the hooks after it.
 */
export async function runHooks(
  config: HooksConfig | undefined,
  event: HookEvent,
  input: HookInput,
  given: readonly HookTypeExecutor[] | RunHooksOptions = {},
): Promise<HookOutcome> {
  const options: RunHooksOptions = isList(given) ? { executors: given } : given;
  // Loaded with the first hook, because most sessions have none.
  const { runConfiguredHooks } = await import('./configured-hooks.ts');
  return await runConfiguredHooks(config, event, { input, options });
}

function isList(
  given: readonly HookTypeExecutor[] | RunHooksOptions,
): given is readonly HookTypeExecutor[] {
  return Array.isArray(given);
}
