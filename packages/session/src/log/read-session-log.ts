import type { SessionLogEntry } from '@robota-sdk/agent-core';
import { LogReader, type LogReaderOptions, type LogReaderStart } from '@robota-sdk/agent-core/log';
import { cannotRead } from '../regular-file.ts';
import { isFileMissing } from '../session-error.ts';
import { readLineBatches, readLineBatchesSync } from './log-lines.ts';
import { PayloadReader } from './payload-files.ts';

/** A line that could not be read; lines count from 1. */
export interface SkippedLine {
  readonly line: number;
  readonly reason: 'torn' | 'unreadable';
}

/** Options for reading the log of a session. */
export interface ReadSessionLogOptions {
  /** Called for every line that is not a log entry. */
  readonly onSkipped?: ((skipped: SkippedLine) => void) | undefined;
}

/** All entries of a log, references resolved; none when there is no file. */
export function loadSessionLogEntries(
  file: string,
  options: ReadSessionLogOptions = {},
): SessionLogEntry[] {
  const skipped: SkippedLine[] = [];
  const entries: SessionLogEntry[] = [];
  readLog(file, {
    onEntry: (entry) => entries.push(entry),
    onSkipped: (line) => {
      skipped.push(line);
      options.onSkipped?.(line);
    },
  });
  skippedLines.set(entries, skipped);
  return entries;
}

/** Streams the entries without loading the whole file. */
export async function* readSessionLogEntries(
  file: string,
  options: ReadSessionLogOptions = {},
): AsyncGenerator<SessionLogEntry> {
  for await (const entries of readEntryBatches(file, options)) yield* entries;
}

/** Streams the entries in batches, so that folds do not await each one. */
export async function* readEntryBatches(
  file: string,
  options: ReadSessionLogOptions & Pick<LogReaderOptions, 'detail'> = {},
): AsyncGenerator<SessionLogEntry[]> {
  const reader = new LogLines(file, options);
  try {
    for await (const { lines, mayRefer } of readLineBatches(file)) {
      const entries: SessionLogEntry[] = [];
      for (const line of lines) {
        for (const entry of reader.read(line, mayRefer)) entries.push(entry);
      }
      yield entries;
    }
  } catch (error) {
    if (!isFileMissing(error)) throw unreadable(file, error);
  }
  reader.end();
}

/** Options for reading a log entry by entry. */
export interface ReadLogOptions extends ReadSessionLogOptions, Pick<LogReaderOptions, 'detail'> {
  readonly onEntry: (entry: SessionLogEntry) => void;
  /** Offset to start from, with the state before it. */
  readonly from?: { readonly bytes: number; readonly start: LogReaderStart } | undefined;
}

/** Reads a log synchronously. Returns the number of the last entry; 0 when there is no file. */
export function readLog(file: string, options: ReadLogOptions): number {
  const { onEntry, from } = options;
  const reader = new LogLines(file, { ...options, start: from?.start });
  try {
    for (const { lines, mayRefer } of readLineBatchesSync(file, from?.bytes)) {
      for (const line of lines) for (const entry of reader.read(line, mayRefer)) onEntry(entry);
    }
  } catch (error) {
    if (!isFileMissing(error)) throw unreadable(file, error);
  }
  reader.end();
  return reader.last;
}

const skippedLines = new WeakMap<readonly SessionLogEntry[], readonly SkippedLine[]>();

/** The lines left out of entries that `loadSessionLogEntries` returned. */
export function skippedLinesOf(entries: readonly SessionLogEntry[]): readonly SkippedLine[] {
  return skippedLines.get(entries) ?? [];
}

/** Reads lines in order; a bad line is torn if no readable line follows. */
class LogLines {
  readonly #reader: LogReader;
  readonly #onSkipped: ((skipped: SkippedLine) => void) | undefined;
  #line = 0;
  #bad: number | undefined;

  constructor(file: string, options: ReadSessionLogOptions & LogReaderOptions) {
    const payloads = new PayloadReader(file);
    const { detail, start } = options;
    const resolvePayloads = (line: unknown) => payloads.resolve(line);
    this.#reader = new LogReader({ resolvePayloads, detail, start });
    this.#onSkipped = options.onSkipped;
  }

  get last(): number {
    return this.#reader.last;
  }

  read(text: string, mayRefer: boolean): readonly SessionLogEntry[] {
    this.#line += 1;
    if (text === '') return NONE;
    const entries = this.#reader.read(text, mayRefer);
    if (this.#bad !== undefined) this.#report('unreadable');
    if (entries === null) this.#bad = this.#line;
    return entries ?? NONE;
  }

  end(): void {
    if (this.#bad !== undefined) this.#report('torn');
  }

  #report(reason: SkippedLine['reason']): void {
    if (this.#bad !== undefined) this.#onSkipped?.({ line: this.#bad, reason });
    this.#bad = undefined;
  }
}

const NONE: readonly SessionLogEntry[] = [];

function unreadable(file: string, cause: unknown): Error {
  return cannotRead(`the session log ${file}`, cause);
}
