import type { JsonObject } from '../json.ts';
import type { HookAnswer, HookEvent, HookGroup, HookInput, HooksConfig } from './hook.ts';

/** Hooks defined in code: functions, functions for certain tools, or groups as in settings. */
export type HookFunctions = {
  readonly [Event in HookEvent]?:
    | readonly (EventHook<Event> | MatchedHook<Event> | HookGroup)[]
    | undefined;
};

/** Called for each event. Returning nothing means no objection; a thrown error is reported as a failed hook. */
export type EventHook<Event extends HookEvent> =
  | ((
      input: HookInputOf<Event>,
      signal: AbortSignal,
    ) => HookReply | undefined | Promise<HookReply | undefined>)
  | ((input: HookInputOf<Event>, signal: AbortSignal) => void | Promise<void>);

/** A hook function for certain tools. */
export interface MatchedHook<Event extends HookEvent> {
  /** Tool names joined by `|`, or a regular expression; see `matchesHook`. */
  readonly matcher: string;
  readonly run: EventHook<Event>;
  /** Timeout in seconds. */
  readonly timeout?: number | undefined;
}

/** Input of a hook for one event, with the fields that this event always has. */
export type HookInputOf<Event extends HookEvent> = HookInput &
  Required<Pick<HookInput, HookFacts[Event]>> & { readonly hook_event_name: Event };

interface HookFacts extends Record<HookEvent, keyof HookInput> {
  readonly PreToolUse: 'tool_name' | 'tool_input' | 'tool_use_id';
  readonly PostToolUse: 'tool_name' | 'tool_input' | 'tool_use_id' | 'tool_output';
  readonly UserPromptSubmit: 'prompt';
  readonly Stop: 'last_assistant_message' | 'stop_hook_active';
  readonly StopFailure: 'reason';
  readonly SessionStart: 'source';
  readonly SessionEnd: 'reason';
  readonly PreCompact: 'trigger';
  readonly PostCompact: 'trigger' | 'compact_summary';
  readonly SubagentStart: 'agent_id' | 'agent_type';
  readonly SubagentStop: 'agent_id' | 'agent_type';
  readonly WorktreeCreate: 'session_id';
  readonly WorktreeRemove: 'session_id';
  readonly Notification: 'session_id';
}

/** Result of a hook function; each event uses the fields that apply to it. */
export interface HookReply {
  /** Blocks the action; the model, or the caller, gets the reason. */
  readonly block?: string | undefined;
  readonly permissionDecision?: 'allow' | 'deny' | 'ask' | undefined;
  readonly permissionDecisionReason?: string | undefined;
  /** PreToolUse: the parameters the tool runs with. */
  readonly updatedInput?: JsonObject | undefined;
  /** PostToolUse: replaces the tool's output for the model. */
  readonly updatedOutput?: unknown;
  /** Additional text for the model. */
  readonly additionalContext?: string | undefined;
  /** A message for the user. */
  readonly systemMessage?: string | undefined;
  /** Ends the whole run, with the reason. */
  readonly stop?: string | undefined;
}

/** Converts the hooks to the form that is merged with those of settings and plugins. */
export function toHooksConfig(hooks: HookFunctions): HooksConfig {
  const config = Object.entries(hooks).map(([event, given]) => [
    event,
    Array.isArray(given) ? given.map((each) => toGroup(event as HookEvent, each)) : given,
  ]);
  return Object.fromEntries(config) as HooksConfig;
}

type AnyHook = EventHook<HookEvent> | MatchedHook<HookEvent> | HookGroup;

function toGroup(event: HookEvent, given: AnyHook): HookGroup {
  if (typeof given === 'function') return groupOf(event, { run: given });
  return 'run' in given && !('hooks' in given) ? groupOf(event, given) : (given as HookGroup);
}

function groupOf(
  event: HookEvent,
  { matcher, run, timeout }: Partial<MatchedHook<HookEvent>> & Pick<MatchedHook<HookEvent>, 'run'>,
): HookGroup {
  const answer = async (input: HookInput, signal: AbortSignal): Promise<HookAnswer> => {
    const reply = await run(input as HookInputOf<HookEvent>, signal);
    return reply
      ? { exitCode: 0, stdout: JSON.stringify(toOutput(event, reply)) }
      : { exitCode: 0 };
  };
  return {
    ...(matcher !== undefined && { matcher }),
    hooks: [{ type: 'function', run: answer, ...(timeout !== undefined && { timeout }) }],
  };
}

/** The answer in Claude Code's protocol, which all hook types use. */
function toOutput(event: HookEvent, reply: HookReply): Record<string, unknown> {
  const { block, stop, systemMessage, updatedOutput, ...specific } = reply;
  return {
    ...(block !== undefined && { decision: 'block', reason: block }),
    ...(stop !== undefined && { continue: false, stopReason: stop }),
    systemMessage,
    hookSpecificOutput: { hookEventName: event, updatedToolOutput: updatedOutput, ...specific },
  };
}
