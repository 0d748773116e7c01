import { statSync } from 'node:fs';
import type { SessionLogEntry } from '@robota-sdk/agent-core';
import {
  type FoldedMessage,
  HistoryFold,
  type LogReaderStart,
  SessionFold,
} from '@robota-sdk/agent-core/log';
import { readLog, type SkippedLine } from '../log/read-session-log.ts';
import { entryOf } from '../log/replay-session-log.ts';
import { reviveDates } from '../revive-dates.ts';
import { checkpointState, recordOf } from './checkpoint.ts';
import type { SessionRecord } from './session-record.ts';

/** A saved session: its record, brought up to date from its log. */
export interface SavedSession {
  readonly record: SessionRecord;
  readonly fold: SessionFold;
  /** End of the log when it was read; absent if there is none. */
  readonly end?: { readonly n: number; readonly bytes: number };
  /** A problem with the saved data; absent if there is none. */
  readonly problem?: { readonly code: 'log_shorter' | 'record_lost'; readonly message: string };
  readonly skipped: readonly SkippedLine[];
}

/** Another fold over the same entries. */
export interface FellowFold {
  readonly name: string;
  /** Restores its part of a checkpoint; false if it needs the log from the start. */
  restore(checkpoint: unknown): boolean;
  apply(entry: SessionLogEntry): void;
}

/** Record and log that a saved session is opened from. */
export interface SavedSessionSource {
  readonly id: string;
  /** Undefined if there is none or it is unreadable. */
  readonly record: SessionRecord | undefined;
  /** Path of the session's log; the file may be missing. */
  readonly logFile?: string | undefined;
  readonly fellows?: readonly FellowFold[] | undefined;
}

/**
 * Opens a session from its record and the newer part of its log, or from the log alone. Undefined when there is
 * neither. The cost depends on the record and that part, not on the length of the session.
 */
export function openSavedSession(source: SavedSessionSource): SavedSession | undefined {
  const { id, record, logFile } = source;
  const size = logFile === undefined ? undefined : sizeOf(logFile);
  if (record === undefined && size === undefined) return undefined;
  if (logFile === undefined || size === undefined) {
    return fromRecord(record as SessionRecord, source);
  }
  if (record?.log && record.log.bytes > size) {
    return { ...fromRecord(record, source), problem: logShorter(id, record, size) };
  }
  return withLog(source, logFile, size);
}

function fromRecord(record: SessionRecord, { fellows = [] }: SavedSessionSource): SavedSession {
  for (const fellow of fellows) fellow.restore(record.folds?.[fellow.name]);
  return { record, fold: new SessionFold(checkpointState(record)), skipped: [] };
}

function withLog(source: SavedSessionSource, logFile: string, size: number): SavedSession {
  const saved = new SavedFold(source);
  const skipped: SkippedLine[] = [];
  const { start } = saved;
  const n = readLog(logFile, {
    detail: 'folds',
    from: start && { bytes: source.record?.log?.bytes ?? 0, start },
    onSkipped: (line) => skipped.push(line),
    onEntry: (entry) => saved.apply(entry),
  });
  return saved.finish({ n, bytes: size }, skipped);
}

/** Applies the entries of a log to the record of its session, wherever the lines come from. */
export class SavedFold {
  /** Where to start reading; undefined for the start of the log. */
  readonly start: LogReaderStart | undefined;
  readonly #source: Omit<SavedSessionSource, 'logFile'>;
  readonly #checkpoint: SessionRecord | undefined;
  readonly #fold: SessionFold;
  readonly #late: ReadonlySet<FellowFold>;
  readonly #covered: number;

  constructor(source: Omit<SavedSessionSource, 'logFile'>) {
    const { id, record, fellows = [] } = source;
    const checkpoint = record?.log ? record : undefined;
    const state = checkpoint && checkpointState(checkpoint);
    this.#source = source;
    this.#checkpoint = checkpoint;
    this.#fold = new SessionFold(state);
    this.#covered = checkpoint?.log?.n ?? 0;
    this.#late = new Set(
      fellows.filter((fellow) => !(checkpoint && fellow.restore(checkpoint.folds?.[fellow.name]))),
    );
    // A fold without a checkpoint needs every entry.
    if (state && this.#late.size === 0) {
      const history = new HistoryFold<FoldedMessage>(state);
      this.start = { n: this.#covered, sessionId: id, history };
    }
  }

  apply(entry: SessionLogEntry): void {
    const isNew = (entry.n ?? 0) > this.#covered;
    if (isNew) this.#fold.apply(entryOf(entry));
    for (const fellow of this.#source.fellows ?? []) {
      if (isNew || this.#late.has(fellow)) fellow.apply(entry);
    }
  }

  finish(end: NonNullable<SavedSession['end']>, skipped: readonly SkippedLine[]): SavedSession {
    const { id, record } = this.#source;
    const fold = this.#fold;
    if (record && !this.#checkpoint) return { ...mergedWithOld(record, fold), end, skipped };
    const known = recordOf(fold.state);
    const folded = {
      ...record,
      ...known,
      id,
      messages: reviveDates(known.messages),
      history: reviveDates(known.history),
    };
    const problem = record ? undefined : recordLost(id);
    return { record: folded, fold, end, skipped, ...(problem && { problem }) };
  }
}

/**
 * Merges a record of version 0.1 with its log: the log decides which messages exist, the record may have them without
 * placeholders and has the timeline as shown.
 */
function mergedWithOld(
  record: SessionRecord,
  fold: SessionFold,
): Pick<SavedSession, 'record' | 'fold'> {
  const saved = checkpointState(record);
  const exact = new Map(saved.messages.map((message) => [message.id, message]));
  const messages = fold.state.messages.map((message) => exact.get(message.id) ?? message);
  const isAhead = fold.state.messages.some((message) => !exact.has(message.id));
  const { n, epoch, hasSystem, turn, usage } = fold.state;
  const state = {
    ...saved,
    messages: messages.length > 0 ? messages : saved.messages,
    n,
    epoch,
    hasSystem,
    ...(isAhead && { timeline: fold.state.timeline, turn }),
    usage: Object.keys(saved.usage).length > 0 ? saved.usage : usage,
  };
  const merged = new SessionFold(state);
  return { record: { ...record, ...recordOf(merged.state) }, fold: merged };
}

function logShorter(id: string, record: SessionRecord, size: number) {
  const known = record.log?.bytes ?? 0;
  const message = `The log of session ${id} has ${size} bytes where its record knows of ${known}: it was cut. The session continues from its record; the log is kept and continued.`;
  return { code: 'log_shorter' as const, message };
}

function recordLost(id: string) {
  const message = `Session ${id} was recovered from its log alone.`;
  return { code: 'record_lost' as const, message };
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
