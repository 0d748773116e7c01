import type { JsonObject } from '../json.ts';

/** All hook events. */
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

/** An event that hooks can be configured for. */
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Claude Code events that never occur here; a hook for one is reported, because it guards nothing. */
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
  /** Runs in the background; its answer has no effect. */
  readonly async?: boolean;
  /** Runs at most once a session. */
  readonly once?: boolean;
}

/** One hook: what kind it is and what it runs. */
export type HookDefinition =
  | (HookDefinitionFields & {
      readonly type: 'command';
      readonly command: string;
      /** With arguments the command is run as a program, without a shell. */
      readonly args?: readonly string[];
    })
  | (HookDefinitionFields & {
      readonly type: 'http';
      readonly url: string;
      /** `$NAME` and `${NAME}` in a value are filled in, see `allowedEnvVars`. */
      readonly headers?: Readonly<Record<string, string>>;
      /** Environment variables that headers may use, besides those of the group and the event. */
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

/** A hook defined in code. */
export type HookFunction = (
  input: HookInput,
  signal: AbortSignal,
) => Promise<HookAnswer> | HookAnswer;

/** Input of a hook: stdin for commands, the body for http. */
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

/** Answer of one hook, in Claude Code's terms. */
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
  /** A custom type, or a built-in one, which it then replaces. */
  readonly type: string;
  execute(
    definition: HookDefinition,
    input: HookInput,
    options: HookExecution,
  ): Promise<HookAnswer>;
}

/** Environment and abort signal of one hook execution. */
export interface HookExecution {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Combined outcome of all hooks of one event; the caller must honour every field. */
export interface HookOutcome {
  readonly blocked: boolean;
  readonly reason?: string;
  /** Plain output of hooks that exited 0, joined by newlines. */
  readonly stdout?: string;
  readonly permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer';
  readonly permissionDecisionReason?: string;
  readonly updatedInput?: JsonObject;
  /** PostToolUse: replaces the tool's output for the model. */
  readonly updatedOutput?: unknown;
  readonly additionalContext?: string;
  readonly systemMessage?: string;
  /** `continue: false`: the whole run stops after this hook. */
  readonly stop?: { readonly reason: string };
  /** Hooks that crashed, timed out or gave invalid output; always shown to the user. */
  readonly failures: readonly HookFailure[];
}

/** A hook that failed, and why. */
export interface HookFailure {
  readonly hook: string;
  readonly reason: string;
}
