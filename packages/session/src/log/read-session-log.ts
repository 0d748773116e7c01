import type { SessionLogEntry } from '@robota-sdk/agent-core';
import { isFileMissing } from '../session-error.ts';
import { EntryDecoder } from './entry-decoder.ts';
import { readLineBatches, readLinesSync } from './log-lines.ts';
import { PayloadReader } from './payload-reader.ts';

/** A line that could not be read, from 1. */
export interface SkippedLine {
  readonly line: number;
  readonly reason: 'torn' | 'unreadable';
}

export interface ReadSessionLogOptions {
  /** Hears of every line that is no log entry. */
  readonly onSkipped?: (skipped: SkippedLine) => void;
}

/** All entries of a log, references resolved; none when there is no file. */
export function loadSessionLogEntries(
  file: string,
  options: ReadSessionLogOptions = {},
): SessionLogEntry[] {
  const skipped: SkippedLine[] = [];
  const reader = new EntryReader(file, (line) => {
    skipped.push(line);
    options.onSkipped?.(line);
  });
  const entries: SessionLogEntry[] = [];
  try {
    for (const line of readLinesSync(file)) reader.read(line, entries);
  } catch (error) {
    if (!isFileMissing(error))
      throw new Error(`Cannot read the session log ${file}`, { cause: error });
  }
  reader.end();
  skippedLines.set(entries, skipped);
  return entries;
}

/** The same entries one after another, without holding the file. */
export async function* readSessionLogEntries(
  file: string,
  options: ReadSessionLogOptions = {},
): AsyncGenerator<SessionLogEntry> {
  for await (const entries of readEntryBatches(file, options)) yield* entries;
}

/** The same entries in batches, for folds that want no wait between two of them. */
export async function* readEntryBatches(
  file: string,
  options: ReadSessionLogOptions = {},
): AsyncGenerator<SessionLogEntry[]> {
  const reader = new EntryReader(file, options.onSkipped ?? ignoreSkipped);
  try {
    for await (const lines of readLineBatches(file)) {
      const entries: SessionLogEntry[] = [];
      for (const line of lines) reader.read(line, entries);
      yield entries;
    }
  } catch (error) {
    if (!isFileMissing(error))
      throw new Error(`Cannot read the session log ${file}`, { cause: error });
  }
  reader.end();
}

const skippedLines = new WeakMap<readonly SessionLogEntry[], readonly SkippedLine[]>();

/** The lines left out of entries that `loadSessionLogEntries` returned. */
export function skippedLinesOf(entries: readonly SessionLogEntry[]): readonly SkippedLine[] {
  return skippedLines.get(entries) ?? [];
}

function ignoreSkipped(): void {
  // The caller asked for the readable entries only.
}

/** Decodes lines in order; a bad line counts as torn while nothing readable has followed it. */
class EntryReader {
  readonly #decoder: EntryDecoder;
  readonly #onSkipped: (skipped: SkippedLine) => void;
  #line = 0;
  #bad: number | undefined;

  constructor(file: string, onSkipped: (skipped: SkippedLine) => void) {
    this.#decoder = new EntryDecoder(new PayloadReader(file));
    this.#onSkipped = onSkipped;
  }

  read(text: string, into: SessionLogEntry[]): void {
    this.#line += 1;
    if (text === '') return;
    const entries = this.#decoder.decode(text);
    if (this.#bad !== undefined) this.#report('unreadable');
    if (entries === null) this.#bad = this.#line;
    else for (const entry of entries) into.push(entry);
  }

  end(): void {
    if (this.#bad !== undefined) this.#report('torn');
  }

  #report(reason: SkippedLine['reason']): void {
    if (this.#bad !== undefined) this.#onSkipped({ line: this.#bad, reason });
    this.#bad = undefined;
  }
}
