import type { JsonObject } from '../json.ts';

/** Every event that hooks can be given for. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'Stop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
  'SubagentStart',
  'SubagentStop',
  'WorktreeCreate',
  'WorktreeRemove',
  'Notification',
] as const;

/** What hooks can be given for. */
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Events of Claude Code that never happen here; a hook for one of them is named, because it guards nothing. */
export const FOREIGN_HOOK_EVENTS: readonly string[] = [
  'ConfigChange',
  'CwdChanged',
  'DirectoryAdded',
  'Elicitation',
  'ElicitationResult',
  'FileChanged',
  'InstructionsLoaded',
  'MessageDisplay',
  'PermissionDenied',
  'PermissionRequest',
  'PostModelSwitch',
  'PostToolBatch',
  'PostToolUseFailure',
  'PreModelSwitch',
  'Setup',
  'TaskCompleted',
  'TaskCreated',
  'TeammateIdle',
  'UserPromptExpansion',
];

/** Hook groups by event, as Claude Code writes them in its settings. */
export type HooksConfig = Readonly<Partial<Record<HookEvent, readonly HookGroup[]>>>;

/** Hooks of one event that run for the same tools. */
export interface HookGroup {
  /** Tool names joined by `|`, or a regular expression (see `matchesHook`); absent, empty or `*` matches all. */
  readonly matcher?: string;
  readonly hooks: readonly HookDefinition[];
  readonly env?: Readonly<Record<string, string>>;
}

interface HookDefinitionFields {
  /** Seconds, as in Claude Code's settings. */
  readonly timeout?: number;
  /** A required hook that fails counts as a block. */
  readonly required?: boolean;
  /** A permission rule such as `Bash(git *)`: the hook runs only for tool calls that may fall under it. */
  readonly if?: string;
  /** Started and not waited for: what it answers changes nothing. */
  readonly async?: boolean;
  /** Runs at most once a session. */
  readonly once?: boolean;
}

/** One hook: what kind it is and what it runs. */
export type HookDefinition =
  | (HookDefinitionFields & {
      readonly type: 'command';
      readonly command: string;
      /** With arguments the command is a program that is started without a shell. */
      readonly args?: readonly string[];
    })
  | (HookDefinitionFields & {
      readonly type: 'http';
      readonly url: string;
      /** `$NAME` and `${NAME}` in a value are filled in, see `allowedEnvVars`. */
      readonly headers?: Readonly<Record<string, string>>;
      /** Process variables that headers may quote, beside those of the group and of the event. */
      readonly allowedEnvVars?: readonly string[];
    })
  | (HookDefinitionFields & {
      readonly type: 'prompt';
      readonly prompt: string;
      readonly model?: string;
    })
  | (HookDefinitionFields & {
      readonly type: 'agent';
      readonly agent: string;
      readonly maxTurns?: number;
    })
  | (HookDefinitionFields & {
      readonly type: 'mcp_tool';
      readonly server: string;
      readonly tool: string;
      /** `${tool_input.file_path}` in a text is filled in from the hook's input. */
      readonly input?: Readonly<Record<string, unknown>>;
    })
  | (HookDefinitionFields & { readonly type: 'function'; readonly run: HookFunction });

/** A hook given in code. */
export type HookFunction = (
  input: HookInput,
  signal: AbortSignal,
) => Promise<HookAnswer> | HookAnswer;

/** What a hook is told: on stdin for commands, as the body for http. */
export interface HookInput {
  readonly session_id: string;
  readonly cwd: string;
  readonly hook_event_name: HookEvent;
  readonly tool_name?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string;
  readonly tool_output?: string;
  readonly tool_response?: unknown;
  readonly permission_mode?: string;
  readonly transcript_path?: string;
  readonly prompt?: string;
  readonly user_message?: string;
  readonly response?: string;
  readonly last_assistant_message?: string;
  readonly stop_hook_active?: boolean;
  readonly reason?: string;
  readonly source?: string;
  readonly trigger?: 'manual' | 'auto';
  readonly custom_instructions?: string;
  readonly compact_summary?: string;
  readonly agent_id?: string;
  readonly agent_type?: string;
  readonly agent_transcript_path?: string;
  readonly message?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What one hook answered, in Claude Code's terms. */
export interface HookAnswer {
  /** 0 done, 2 block; anything else is a failure of the hook. */
  readonly exitCode: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/**
 * Port: one way to run a hook. `execute` never rejects: a crash, a timeout or garbage is an answer with a
 * non-zero exit code other than 2 and the reason in `stderr`.
 */
export interface HookTypeExecutor {
  /** One of the built-in types, which it then takes the place of, or a type of one's own. */
  readonly type: string;
  execute(
    definition: HookDefinition,
    input: HookInput,
    options: HookExecution,
  ): Promise<HookAnswer>;
}

/** What a hook runs with. */
export interface HookExecution {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What all hooks of one event said together; the caller honours every field. */
export interface HookOutcome {
  readonly blocked: boolean;
  readonly reason?: string;
  /** Plain output of hooks that exited 0, joined by newlines. */
  readonly stdout?: string;
  readonly permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer';
  readonly permissionDecisionReason?: string;
  readonly updatedInput?: JsonObject;
  /** PostToolUse: what the model reads instead of the tool's own output. */
  readonly updatedOutput?: unknown;
  readonly additionalContext?: string;
  readonly systemMessage?: string;
  /** `continue: false`: the whole run stops after this hook. */
  readonly stop?: { readonly reason: string };
  /** Hooks that crashed, hung or printed garbage; shown to the user, never silent. */
  readonly failures: readonly HookFailure[];
}

/** A hook that failed, and why. */
export interface HookFailure {
  readonly hook: string;
  readonly reason: string;
}
