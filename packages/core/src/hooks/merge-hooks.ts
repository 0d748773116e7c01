import { HOOK_EVENTS, type HookEvent, type HookGroup, type HooksConfig } from './hook.ts';

/** All groups of all configurations, in the order given: a later layer adds hooks and removes none. */
export function mergeHooks(...configs: readonly (HooksConfig | undefined)[]): HooksConfig {
  const merged: Partial<Record<HookEvent, readonly HookGroup[]>> = {};
  for (const event of HOOK_EVENTS) {
    const groups = configs.flatMap((config) => config?.[event] ?? []);
    if (groups.length > 0) merged[event] = groups;
  }
  return merged;
}
