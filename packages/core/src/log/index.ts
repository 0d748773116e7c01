export { commonLines, type LinePair } from './common-lines.ts';
export {
  type AnswerEnd,
  type EndedBy,
  type Entry,
  type EntryFields,
  type FailureEnd,
  isAnswer,
  isKnownEvent,
  type SessionLogEntry,
} from './entry.ts';
export type { FileChange, FileVersion, Rewind, RewindScope } from './file-change.ts';
export { type HeldLine, HeldLines, isStreamed, type StreamEnd } from './held-lines.ts';
export { type FoldedMessage, type HistoryChange, HistoryFold } from './history-fold.ts';
export { describeHistory, type MessageStructure } from './history-structure.ts';
export { LogReader, type LogReaderOptions, type LogReaderStart } from './log-reader.ts';
export { LOG_FORMAT, LogWriter, type LogWriterOptions } from './log-writer.ts';
export { type PayloadRows, packPayloads, unpackPayloads } from './payload-rows.ts';
export { PayloadTexts } from './payload-texts.ts';
export { findNamedSecrets } from './redact/named-secrets.ts';
export type { RedactStream } from './redact/redact-stream.ts';
export { markOwnWords } from './redact/redact-value.ts';
export {
  createRedactor,
  type FoundSecret,
  type NamedSecret,
  type Redactor,
  type RedactorOptions,
} from './redact/redactor.ts';
export { type RestoreSource, restoreText, restoreValue } from './redact/restore.ts';
export { NOT_PLACED } from './rewind-fold.ts';
export { SessionFold } from './session-fold.ts';
export {
  emptySessionState,
  type ModelTally,
  type OpenCall,
  type OpenTurn,
  type PendingQuestion,
  type PlacedPrompt,
  type SessionState,
  type TakenBack,
  type TakenPart,
  type TurnEnd,
  type TurnUsage,
  type UsageCause,
} from './session-state.ts';
export {
  type DeniedBy,
  type DiffLine,
  endOfTool,
  firstArgumentOf,
  isDenied,
  resultText,
  summarizeTool,
  type ToolResultFields,
  type ToolState,
  type ToolSummary,
} from './tool-state.ts';
