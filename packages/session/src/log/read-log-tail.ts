import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isFileMissing } from '../session-error.ts';
import type { FoldedMessage } from './history-fold.ts';

/** Where an existing log stands: enough to go on without reading all of it. */
export interface LogTail {
  readonly epoch: number;
  /** Stand-ins, of which only the last one carries its id. */
  readonly messages: readonly FoldedMessage[];
  /** The first message is the system message. */
  readonly hasSystem: boolean;
}

const CHUNK_BYTES = 256 * 1024;
const MARK = '"event":"history_mutation"';

/** Looks backwards for the last history mutation; undefined when there is no log or none in it. */
export function readLogTail(path: string): LogTail | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
  try {
    return scanBackwards(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function scanBackwards(descriptor: number): LogTail | undefined {
  let end = fstatSync(descriptor).size;
  let carried = Buffer.alloc(0);
  while (end > 0) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const chunk = Buffer.alloc(end - start);
    readSync(descriptor, chunk, 0, chunk.length, start);
    const text = Buffer.concat([chunk, carried]);
    const firstBreak = start === 0 ? -1 : text.indexOf(0x0a);
    const found = lastMutation(text.subarray(firstBreak + 1).toString('utf8'));
    if (found) return found;
    carried = firstBreak < 0 ? text : text.subarray(0, firstBreak + 1);
    end = start;
  }
  return undefined;
}

function lastMutation(text: string): LogTail | undefined {
  const lines = text.split('\n');
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? '';
    const tail = line.includes(MARK) ? parseMutation(line) : undefined;
    if (tail) return tail;
  }
  return undefined;
}

function parseMutation(line: string): LogTail | undefined {
  try {
    const { epoch, length, mutation, message, system } = JSON.parse(line) as Record<
      string,
      unknown
    >;
    if (typeof epoch !== 'number' || typeof length !== 'number') return undefined;
    const messages: FoldedMessage[] = Array.from({ length }, () => ({ standIn: true }));
    const id = (message as { id?: unknown } | undefined)?.id;
    if (mutation === 'append_message' && length > 0) {
      messages[length - 1] = { standIn: true, id };
    }
    return { epoch, messages, hasSystem: system === true };
  } catch {
    // A torn or damaged line says nothing; an earlier one will.
    return undefined;
  }
}
