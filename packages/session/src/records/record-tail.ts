import { appendFileSync } from 'node:fs';
import { readIfPresent } from './private-files.ts';
import type { SessionRecord } from './session-record.ts';

/** What became new since the last whole write, as one line beside the record. */
interface TailLine {
  /** The whole write this continues; a line of another one is ignored. */
  readonly revision: string;
  readonly messagesFrom: number;
  readonly historyFrom: number;
  readonly messages: readonly unknown[];
  readonly history: readonly unknown[];
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

/** Appends a line and answers how many bytes it took. */
export function appendTail(path: string, line: TailLine): number {
  const text = `${JSON.stringify(line)}\n`;
  appendFileSync(path, text, { mode: 0o600 });
  return Buffer.byteLength(text);
}

/** Adds to `record` what its tail holds; a torn last line was never acknowledged and is left out. */
export function foldTail(record: SessionRecord, revision: unknown, path: string): SessionRecord {
  const text = readIfPresent(path);
  if (text === undefined) return record;
  const folded = {
    ...record,
    messages: [...record.messages],
    history: [...(record.history ?? [])],
  };
  for (const raw of text.split('\n')) {
    const line = parseTailLine(raw);
    if (line === undefined || line.revision !== revision) continue;
    if (!continues(folded, line)) break;
    applyTailLine(folded, line);
  }
  return folded;
}

function parseTailLine(raw: string): TailLine | undefined {
  if (raw === '') return undefined;
  try {
    return JSON.parse(raw) as TailLine;
  } catch {
    return undefined;
  }
}

function continues(record: SessionRecord, line: TailLine): boolean {
  return line.messagesFrom === record.messages.length && line.historyFrom === record.history.length;
}

function applyTailLine(record: SessionRecord, line: TailLine): void {
  record.messages.push(...line.messages);
  record.history.push(...line.history);
  Object.assign(record, line.set);
  for (const field of line.unset) delete record[field];
}
