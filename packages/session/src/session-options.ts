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

/** What a session is made with. */
export interface SessionOptions extends ModelOptions {
  readonly tools: readonly Tool[];
  readonly provider: Provider;
  readonly systemMessage: string;
  readonly terminal: TerminalOutput;
  readonly permissions?: SessionPermissions | undefined;
  /** Directories beside `cwd` that count as inside. */
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly defaultTrustLevel?: TrustLevel | undefined;
  /** Who forbids the mode `bypassPermissions`, such as a settings file; it can never be switched on then. */
  readonly bypassForbiddenBy?: string | undefined;
  readonly permissionHandler?: PermissionHandler | undefined;
  readonly promptForApproval?: ApprovalPrompt | undefined;
  /** Keeps a pattern that a person allowed for the whole project. */
  readonly onProjectGrant?: ((pattern: string) => void) | undefined;
  readonly hooks?: HooksConfig | undefined;
  readonly hookTypeExecutors?: readonly HookTypeExecutor[] | undefined;
  /** Model rounds of one `run`; left out, there is no cap. */
  readonly maxTurns?: number | undefined;
  readonly autoCompactThreshold?: AutoCompactThreshold | undefined;
  readonly compactInstructions?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Absolute; the process's directory when left out. */
  readonly cwd?: string | undefined;
  readonly agentName?: string | undefined;
  readonly sessionStore?: SessionRecordStore | undefined;
  /** False: a session in which nobody said anything leaves no record. */
  readonly keepUnused?: boolean | undefined;
  readonly sessionLogger?: SessionLogger | undefined;
  /**
   * False: the values of secrets are kept nowhere. Files hold placeholders in any case; with a vault a resumed model
   * is sent the values again, without one it sees the placeholders.
   */
  readonly vault?: boolean | undefined;
  /** Why the session starts, as SessionStart hooks read it. */
  readonly source?: 'startup' | 'resume' | 'clear' | 'compact' | undefined;
  /** Set for a session that works for another one: it fires SubagentStart and SubagentStop instead. */
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
  /** Every entry after it was written; streamed pieces are written within 50 ms. */
  readonly onEntry?: ((entry: Entry) => void) | undefined;
  /** What everything in this session is folded into; a new one when left out. */
  readonly fold?: SessionFold | undefined;
  /** The past of this session, read from its record and log; its conversation goes on. */
  readonly restored?: RestoredSession | undefined;
  /** Other folds of the entries, kept in the record beside the session's own. */
  readonly folds?: (() => Record<string, unknown>) | undefined;
}

/** A session to go on with. */
export interface RestoredSession {
  readonly fold: SessionFold;
  /** Absent where the past is another session's. */
  readonly record: SessionRecord | undefined;
  /** Set where the past comes from another session, or from a record that knows more than the log. */
  readonly from?: { readonly reason: 'fork' | 'record'; readonly sessionId: string };
}

/** What goes with the words of a prompt. */
export interface PromptExtras {
  /** Images, sent with the text. */
  readonly parts?: readonly MessagePart[] | undefined;
  /** What people are shown in place of the message. */
  readonly display?: string | undefined;
  /** Where the prompt comes from when no person typed it, such as a background task. */
  readonly origin?: string | undefined;
  /** Who sent it, where several people can. */
  readonly user?: string | undefined;
  /** The sender's own id for it. */
  readonly messageId?: string | undefined;
  /** Makes what the model is sent once the prompt is in the log. */
  readonly prepare?: (() => Promise<PreparedMessage> | PreparedMessage) | undefined;
}

/** What the model is sent in place of what was typed. */
export interface PreparedMessage {
  readonly message: string;
  /** What hooks match on. */
  readonly rawInput?: string | undefined;
  readonly parts?: readonly MessagePart[] | undefined;
}

/** The rules of a session. */
export interface SessionPermissions {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

/** Which subagent a session is. */
export interface SubagentIdentity {
  readonly agentId: string;
  readonly agentType: string;
  readonly transcriptPath?: string | undefined;
}

/** A compaction and the room it made. */
export interface CompactEvent {
  readonly trigger: CompactionTrigger;
  readonly before: ContextWindowState;
  readonly after: ContextWindowState;
}

/** Why a session ends, as hooks read it. */
export type SessionEndReason =
  | 'clear'
  | 'resume'
  | 'logout'
  | 'prompt_input_exit'
  | 'bypass_permissions_disabled'
  | 'other';

/** What ending a session may be told. */
export interface SessionShutdownOptions {
  readonly reason?: SessionEndReason | undefined;
}

/** As little of a session as a transport needs. */
export interface SessionIdentity {
  readonly sessionId: string;
}
