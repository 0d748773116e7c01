export type { ContextWindowState as IContextWindowState } from '@robota-sdk/agent-core';
export type { AutoCompactThreshold as TAutoCompactThreshold } from './context/context-window-tracker.ts';
export type { ExternalPayloadReference as IExternalPayloadReference } from './log/payload-files.ts';
export type { SessionReplayRecord as ISessionReplayRecord } from './log/replay-session-log.ts';
export type {
  SessionLogData as TSessionLogData,
  SessionLogger as ISessionLogger,
} from './log/session-logger.ts';
export type {
  PermissionHandler as TPermissionHandler,
  PermissionResult as TPermissionResult,
} from './permissions/permission-result.ts';
export type { SessionRecord as ISessionRecord } from './records/session-record.ts';
export type { SessionRecordStore as ISessionStore } from './records/session-record-store.ts';
export type {
  SessionIdentity as ISession,
  SessionOptions as ISessionOptions,
  SessionShutdownOptions as ISessionShutdownOptions,
} from './session-options.ts';
export type { Spinner as ISpinner, TerminalOutput as ITerminalOutput } from './terminal.ts';
