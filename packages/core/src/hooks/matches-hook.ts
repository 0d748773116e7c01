import type { HookEvent, HookInput } from './hook.ts';

/**
 * Whether a group's matcher picks this event, by Claude Code's rules: plain names joined by `|` are compared
 * whole, so `Edit` leaves `NotebookEdit` alone; anything else is an unanchored regular expression, so
 * `^mcp__` works; what is no regular expression is compared as text. An event that has nothing to match on
 * (`Stop`, `UserPromptSubmit` …) ignores the matcher, because a guard that silently never fires is worse.
 */
export function matchesHook(
  matcher: string | undefined,
  event: HookEvent,
  input: HookInput,
): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  const readTarget = TARGETS[event];
  if (readTarget === undefined) return true;
  const target = readTarget(input);
  if (target === undefined) return false;
  return [target, ...(OTHER_NAMES.get(target) ?? [])].some((name) => picks(matcher, name));
}

/** Claude Code's names for tools that do the same. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Agent', ['Task']],
  ['Task', ['Agent']],
  ['BackgroundProcess', ['Bash']],
]);

function picks(matcher: string, name: string): boolean {
  if (PLAIN_NAMES.test(matcher)) return matcher.split('|').includes(name);
  return compile(matcher)?.test(name) ?? matcher === name;
}

const PLAIN_NAMES = /^[\w|-]+$/;

const TARGETS: Partial<Record<HookEvent, (input: HookInput) => string | undefined>> = {
  PreToolUse: (input) => input.tool_name,
  PostToolUse: (input) => input.tool_name,
  WorktreeCreate: (input) => input.tool_name,
  WorktreeRemove: (input) => input.tool_name,
  SubagentStart: (input) => input.agent_type ?? input.agent_id,
  SubagentStop: (input) => input.agent_type ?? input.agent_id,
  SessionStart: (input) => input.source,
  SessionEnd: (input) => input.reason,
  PreCompact: (input) => input.trigger,
  PostCompact: (input) => input.trigger,
};

function compile(matcher: string): RegExp | undefined {
  try {
    return new RegExp(matcher);
  } catch {
    return undefined;
  }
}
