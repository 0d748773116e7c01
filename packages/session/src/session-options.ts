import type {
  ContextWindowState,
  EngineEventCallback,
  HooksConfig,
  HookTypeExecutor,
  MessagePart,
  PermissionMode,
  Provider,
  RetryPolicy,
  ServerToolUseCallback,
  TextDeltaCallback,
  ThinkingEffort,
  Tool,
  ToolCallDelta,
  TrustLevel,
} from '@robota-sdk/agent-core';
import type { CompactionTrigger } from './context/compaction-orchestrator.ts';
import type { AutoCompactThreshold } from './context/context-window-tracker.ts';
import type { NoticeCallback } from './lifecycle-hooks.ts';
import type { SessionLogger } from './log/session-logger.ts';
import type { ApprovalPrompt, PermissionHandler } from './permissions/permission-result.ts';
import type { ToolExecutionCallback } from './permissions/tool-execution-event.ts';
import type { SessionRecordStore } from './records/session-record-store.ts';
import type { TerminalOutput } from './terminal.ts';

export interface SessionOptions {
  readonly tools: readonly Tool[];
  readonly provider: Provider;
  readonly systemMessage: string;
  readonly terminal: TerminalOutput;
  readonly permissions?: SessionPermissions;
  /** Directories beside `cwd` that count as inside. */
  readonly additionalDirectories?: readonly string[];
  readonly permissionMode?: PermissionMode;
  readonly defaultTrustLevel?: TrustLevel;
  readonly permissionHandler?: PermissionHandler;
  readonly promptForApproval?: ApprovalPrompt;
  /** Keeps a pattern that a person allowed for the whole project. */
  readonly onProjectGrant?: (pattern: string) => void;
  readonly hooks?: HooksConfig;
  readonly hookTypeExecutors?: readonly HookTypeExecutor[];
  readonly model?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly thinking?: ThinkingEffort;
  /** Milliseconds without a sign of life before a provider call is given up. */
  readonly providerTimeout?: number;
  readonly retry?: RetryPolicy;
  /** Model rounds of one `run`; left out, there is no cap. */
  readonly maxTurns?: number;
  readonly toolConcurrency?: number;
  readonly contextMaxTokens?: number;
  readonly autoCompactThreshold?: AutoCompactThreshold;
  readonly compactInstructions?: string;
  readonly sessionId?: string;
  /** Absolute; the process's directory when left out. */
  readonly cwd?: string;
  readonly agentName?: string;
  readonly sessionStore?: SessionRecordStore;
  readonly sessionLogger?: SessionLogger;
  /** Why the session starts, as SessionStart hooks read it. */
  readonly source?: 'startup' | 'resume' | 'clear' | 'compact';
  /** Set for a session that works for another one: it fires SubagentStart and SubagentStop instead. */
  readonly subagent?: SubagentIdentity;
  readonly ownerPath?: readonly string[];
  readonly onTextDelta?: TextDeltaCallback;
  readonly onThinkingDelta?: TextDeltaCallback;
  readonly onToolCallDelta?: (delta: ToolCallDelta) => void;
  readonly onServerToolUse?: ServerToolUseCallback;
  readonly onToolExecution?: ToolExecutionCallback;
  readonly onContextUpdate?: (state: ContextWindowState) => void;
  readonly onCompact?: (summary: string) => void;
  readonly onCompactEvent?: (event: CompactEvent) => void;
  readonly onNotice?: NoticeCallback;
  /** Every engine event after it was logged. */
  readonly onEngineEvent?: EngineEventCallback;
}

/** What goes with the words of a prompt. */
export interface PromptExtras {
  /** Images, sent with the text. */
  readonly parts?: readonly MessagePart[];
}

export interface SessionPermissions {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

export interface SubagentIdentity {
  readonly agentId: string;
  readonly agentType: string;
  readonly transcriptPath?: string;
}

export interface CompactEvent {
  readonly trigger: CompactionTrigger;
  readonly before: ContextWindowState;
  readonly after: ContextWindowState;
}

export type SessionEndReason =
  | 'clear'
  | 'resume'
  | 'logout'
  | 'prompt_input_exit'
  | 'bypass_permissions_disabled'
  | 'other';

export interface SessionShutdownOptions {
  readonly reason?: SessionEndReason;
}

/** As little of a session as a transport needs. */
export interface SessionIdentity {
  readonly sessionId: string;
}
