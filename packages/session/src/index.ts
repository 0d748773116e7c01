export type { ContextWindowState } from '@robota-sdk/agent-core';
export {
  CompactionOrchestrator,
  type CompactionTrigger,
} from './context/compaction-orchestrator.ts';
export {
  type AutoCompactThreshold,
  ContextWindowTracker,
} from './context/context-window-tracker.ts';
export {
  type EntryListener,
  EntryLog,
  type EntryLogOptions,
  type LogStart,
  REOPEN_GAP,
  type TextPiece,
} from './entry-log.ts';
export type { Notice, NoticeCallback } from './lifecycle-hooks.ts';
export { FileSessionLogger, type FileSessionLoggerOptions } from './log/file-session-logger.ts';
export type { LogSink } from './log/log-sink.ts';
export {
  type ExternalPayloadReference,
  INLINE_BYTES,
  type KeepPayload,
  PayloadReader,
  PayloadWriter,
  payloadFolder,
  type ReadPayload,
} from './log/payload-files.ts';
export {
  loadSessionLogEntries,
  type ReadLogOptions,
  type ReadSessionLogOptions,
  readLog,
  readSessionLogEntries,
  type SkippedLine,
  skippedLinesOf,
} from './log/read-session-log.ts';
export { type Recovery, recoverTurn } from './log/recover-turn.ts';
export { redact, redactText } from './log/redact.ts';
export {
  entryOf,
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
export { initialPermissionMode, modeForbidden } from './permissions/permission-mode.ts';
export type {
  ApprovalPrompt,
  PermissionContext,
  PermissionHandler,
  PermissionResult,
} from './permissions/permission-result.ts';
export type {
  ToolExecutionCallback,
  ToolExecutionEnd,
  ToolExecutionEvent,
  ToolExecutionStart,
} from './permissions/tool-execution-event.ts';
export { packRecord, unpackRecord } from './records/checkpoint.ts';
export { RecordKeeper, type RecordKeeperOptions } from './records/record-keeper.ts';
export { describeSaveFailure, diskProblemOf } from './records/save-failure.ts';
export {
  type FellowFold,
  openSavedSession,
  SavedFold,
  type SavedSession,
  type SavedSessionSource,
} from './records/saved-session.ts';
export { assertSessionId, isSessionId } from './records/session-id.ts';
export type { LogPosition, SessionRecord, SessionSummary } from './records/session-record.ts';
export type { SessionRecordStore } from './records/session-record-store.ts';
export { SessionStore, type SessionStoreOptions } from './records/session-store.ts';
export {
  allSnapshotFolders,
  type SnapshotFolders,
  snapshotFolders,
} from './records/snapshot-folders.ts';
export { acquireWriterLock, type WriterLock } from './records/writer-lock.ts';
export { reviveDates } from './revive-dates.ts';
export {
  isAppendOf,
  messagesBefore,
  type RestoredFiles,
  type RestoreFiles,
  type RewindRequest,
} from './rewind.ts';
export { type OpenedSecrets, openSecrets } from './secrets/open-secrets.ts';
export {
  type ScrubResult,
  type SessionFiles,
  scrubSessionFiles,
} from './secrets/scrub-session-files.ts';
export type { SecretVault } from './secrets/secret-vault.ts';
export { SessionSecrets, type SessionSecretsOptions } from './secrets/session-secrets.ts';
export { VAULT_SUFFIX, VaultFile, type VaultFileOptions } from './secrets/vault-file.ts';
export { VaultLines, type VaultLinesOptions } from './secrets/vault-lines.ts';
export { Session } from './session.ts';
export {
  isAbortError,
  isFenced,
  type SessionError,
  type SessionErrorCode,
  sessionError,
} from './session-error.ts';
export type {
  CompactEvent,
  PreparedMessage,
  PromptExtras,
  RestoredSession,
  SessionEndReason,
  SessionIdentity,
  SessionOptions,
  SessionPermissions,
  SessionShutdownOptions,
  SubagentIdentity,
} from './session-options.ts';
export type { ShellLine } from './shell-line.ts';
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
