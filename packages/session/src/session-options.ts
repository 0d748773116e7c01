import type {
  ContextWindowState,
  HooksConfig,
  HookTypeExecutor,
  MessagePart,
  ModelOptions,
  PermissionMode,
  Provider,
  ServerToolUseCallback,
  TextDeltaCallback,
  Tool,
  ToolCallDelta,
  TrustLevel,
} from '@robota-sdk/agent-core';
import type { Entry, SessionFold } from '@robota-sdk/agent-core/log';
import type { CompactionTrigger } from './context/compaction-orchestrator.ts';
import type { AutoCompactThreshold } from './context/context-window-tracker.ts';
import type { NoticeCallback } from './lifecycle-hooks.ts';
import type { SessionLogger } from './log/session-logger.ts';
import type { ApprovalPrompt, PermissionHandler } from './permissions/permission-result.ts';
import type { ToolExecutionCallback } from './permissions/tool-execution-event.ts';
import type { SessionRecord } from './records/session-record.ts';
import type { SessionRecordStore } from './records/session-record-store.ts';
import type { TerminalOutput } from './terminal.ts';

/** Options of a session. */
export interface SessionOptions extends ModelOptions {
  readonly tools: readonly Tool[];
  readonly provider: Provider;
  readonly systemMessage: string;
  readonly terminal: TerminalOutput;
  readonly permissions?: SessionPermissions | undefined;
  /** Directories besides `cwd` that count as inside the project. */
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly defaultTrustLevel?: TrustLevel | undefined;
  /** Source that forbids the mode `bypassPermissions`, such as a settings file; the mode can then never be enabled. */
  readonly bypassForbiddenBy?: string | undefined;
  readonly permissionHandler?: PermissionHandler | undefined;
  readonly promptForApproval?: ApprovalPrompt | undefined;
  /** Saves a pattern that the user allowed for the whole project. */
  readonly onProjectGrant?: ((pattern: string) => void) | undefined;
  readonly hooks?: HooksConfig | undefined;
  readonly hookTypeExecutors?: readonly HookTypeExecutor[] | undefined;
  /** Maximum model rounds of one `run`; unlimited when left out. */
  readonly maxTurns?: number | undefined;
  readonly autoCompactThreshold?: AutoCompactThreshold | undefined;
  readonly compactInstructions?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Absolute; defaults to the working directory of the process. */
  readonly cwd?: string | undefined;
  readonly agentName?: string | undefined;
  readonly sessionStore?: SessionRecordStore | undefined;
  /** If false, a session without any message leaves no record. */
  readonly keepUnused?: boolean | undefined;
  readonly sessionLogger?: SessionLogger | undefined;
  /**
   * If false, the values of secrets are stored nowhere. Files contain placeholders in any case; with a vault a resumed
   * model is sent the values again, without one it sees the placeholders.
   */
  readonly vault?: boolean | undefined;
  /** Why the session starts, for SessionStart hooks. */
  readonly source?: 'startup' | 'resume' | 'clear' | 'compact' | undefined;
  /** Set for a subagent's session: it fires SubagentStart and SubagentStop instead. */
  readonly subagent?: SubagentIdentity | undefined;
  readonly ownerPath?: readonly string[] | undefined;
  readonly onTextDelta?: TextDeltaCallback | undefined;
  readonly onThinkingDelta?: TextDeltaCallback | undefined;
  readonly onToolCallDelta?: ((delta: ToolCallDelta) => void) | undefined;
  readonly onServerToolUse?: ServerToolUseCallback | undefined;
  readonly onToolExecution?: ToolExecutionCallback | undefined;
  readonly onContextUpdate?: ((state: ContextWindowState) => void) | undefined;
  readonly onCompact?: ((summary: string) => void) | undefined;
  readonly onCompactEvent?: ((event: CompactEvent) => void) | undefined;
  readonly onNotice?: NoticeCallback | undefined;
  /** Receives every entry after it was written; streamed deltas are emitted at once and written within 50 ms. */
  readonly onEntry?: ((entry: Entry) => void) | undefined;
  /** The fold that entries are applied to; a new one when left out. */
  readonly fold?: SessionFold | undefined;
  /** The saved state of this session, read from its record and log; its conversation continues. */
  readonly restored?: RestoredSession | undefined;
  /** State of other folds, saved in the record besides the session's own. */
  readonly folds?: (() => Record<string, unknown>) | undefined;
}

/** A saved session to continue. */
export interface RestoredSession {
  readonly fold: SessionFold;
  /** Absent for the state of another session. */
  readonly record: SessionRecord | undefined;
  /** Set if the state comes from another session, or from a record that is newer than the log. */
  readonly from?: { readonly reason: 'fork' | 'record'; readonly sessionId: string };
}

/** Optional fields of a prompt. */
export interface PromptExtras {
  /** Images, sent with the text. */
  readonly parts?: readonly MessagePart[] | undefined;
  /** Shown to users instead of the message. */
  readonly display?: string | undefined;
  /** Source of a prompt that no user typed, such as a background task. */
  readonly origin?: string | undefined;
  /** The sender, in sessions with several users. */
  readonly user?: string | undefined;
  /** The sender's own id for it. */
  readonly messageId?: string | undefined;
  /** Creates the message for the model after the prompt was logged. */
  readonly prepare?: (() => Promise<PreparedMessage> | PreparedMessage) | undefined;
}

/** The message sent to the model instead of the typed text. */
export interface PreparedMessage {
  readonly message: string;
  /** The text that hooks match. */
  readonly rawInput?: string | undefined;
  readonly parts?: readonly MessagePart[] | undefined;
}

/** Permission rules of a session. */
export interface SessionPermissions {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

/** Identity of a subagent's session. */
export interface SubagentIdentity {
  readonly agentId: string;
  readonly agentType: string;
  readonly transcriptPath?: string | undefined;
}

/** A compaction, with the context usage before and after. */
export interface CompactEvent {
  readonly trigger: CompactionTrigger;
  readonly before: ContextWindowState;
  readonly after: ContextWindowState;
}

/** Why a session ends, for hooks. */
export type SessionEndReason =
  | 'clear'
  | 'resume'
  | 'logout'
  | 'prompt_input_exit'
  | 'bypass_permissions_disabled'
  | 'other';

/** Options for ending a session. */
export interface SessionShutdownOptions {
  readonly reason?: SessionEndReason | undefined;
}

/** The part of a session that a transport needs. */
export interface SessionIdentity {
  readonly sessionId: string;
}
