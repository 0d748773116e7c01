import { readIfPresent } from './private-files.ts';
import type { SessionRecord } from './session-record.ts';

/** A line that version 0.1 appended to a file next to the record. */
interface TailLine {
  /** Revision of the record it extends; lines for other revisions are ignored. */
  readonly revision: string;
  readonly messagesFrom: number;
  readonly historyFrom: number;
  readonly messages: readonly unknown[];
  readonly history: readonly unknown[];
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

/** Applies the tail file to `record`; a torn last line was never acknowledged and is ignored. */
export function foldOldTail(record: SessionRecord, revision: unknown, path: string): SessionRecord {
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
    folded.messages.push(...line.messages);
    folded.history.push(...line.history);
    Object.assign(folded, line.set);
    for (const field of line.unset) delete (folded as Record<string, unknown>)[field];
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
