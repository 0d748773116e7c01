export type { ContextWindowState } from '@robota-sdk/agent-core';
export {
  CompactionOrchestrator,
  type CompactionTrigger,
} from './context/compaction-orchestrator.ts';
export {
  type AutoCompactThreshold,
  ContextWindowTracker,
} from './context/context-window-tracker.ts';
export type { NoticeCallback, SessionNotice } from './lifecycle-hooks.ts';
export type { ExternalPayloadReference } from './log/external-payload.ts';
export { FileSessionLogger, type FileSessionLoggerOptions } from './log/file-session-logger.ts';
export type { HistoryReference } from './log/history-reference.ts';
export type { MessageStructure } from './log/history-structure.ts';
export type { NativeRequestReference } from './log/native-requests.ts';
export {
  loadSessionLogEntries,
  type ReadSessionLogOptions,
  readSessionLogEntries,
  type SkippedLine,
  skippedLinesOf,
} from './log/read-session-log.ts';
export { redact, redactText } from './log/redact.ts';
export {
  replaySessionLog,
  replaySessionLogEntries,
  type SessionReplayRecord,
} from './log/replay-session-log.ts';
export type { SessionLogData, SessionLogger } from './log/session-logger.ts';
export { SilentSessionLogger } from './log/silent-session-logger.ts';
export {
  type ReplayIssue,
  type ReplayIssueCode,
  type ReplayValidation,
  validateSessionReplayLogEntries,
} from './log/validate-session-log.ts';
export { PermissionEnforcer } from './permissions/permission-enforcer.ts';
export type {
  ApprovalPrompt,
  PermissionHandler,
  PermissionRequest,
  PermissionResult,
} from './permissions/permission-result.ts';
export type {
  ToolExecutionCallback,
  ToolExecutionEnd,
  ToolExecutionEvent,
  ToolExecutionStart,
} from './permissions/tool-execution-event.ts';
export { assertSessionId, isSessionId } from './records/session-id.ts';
export type { SessionRecord, SessionSummary } from './records/session-record.ts';
export type { SessionRecordStore } from './records/session-record-store.ts';
export { SessionStore, type SessionStoreOptions } from './records/session-store.ts';
export { acquireWriterLock, type WriterLock } from './records/writer-lock.ts';
export { Session } from './session.ts';
export type { SessionError, SessionErrorCode } from './session-error.ts';
export type {
  CompactEvent,
  PromptExtras,
  SessionEndReason,
  SessionIdentity,
  SessionOptions,
  SessionPermissions,
  SessionShutdownOptions,
  SubagentIdentity,
} from './session-options.ts';
export type {
  IContextWindowState,
  IExternalPayloadReference,
  ISession,
  ISessionLogger,
  ISessionOptions,
  ISessionRecord,
  ISessionReplayRecord,
  ISessionShutdownOptions,
  ISessionStore,
  ISpinner,
  ITerminalOutput,
  TAutoCompactThreshold,
  TPermissionHandler,
  TPermissionResult,
  TSessionLogData,
} from './spec-names.ts';
export type { Spinner, TerminalOutput } from './terminal.ts';
export type { UsageCause, UsageEntry } from './usage-ledger.ts';
