import type { DiffLine } from '@robota-sdk/agent-core/log';
import { unifiedDiff } from '../assembly/unified-diff.ts';

const CONTEXT_LINES = 3;
const MAX_BYTES = 512 * 1024;

/** The diff of two texts; undefined when one of them is binary or too long. */
export function diffOfFile(
  before: Buffer | undefined,
  after: Buffer | undefined,
): DiffLine[] | undefined {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old === undefined || now === undefined) return undefined;
  const start = sharedStart(old, now);
  const end = sharedEnd(old, now, start);
  return unifiedDiff({
    before: old.slice(start, old.length - end),
    after: now.slice(start, now.length - end),
    start: start + 1,
    leading: old.slice(Math.max(0, start - CONTEXT_LINES), start),
    trailing: old.slice(old.length - end, old.length - end + CONTEXT_LINES),
  });
}

function linesOf(bytes: Buffer | undefined): string[] | undefined {
  if (bytes === undefined) return [];
  if (bytes.length > MAX_BYTES || bytes.includes(0)) return undefined;
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function sharedStart(left: readonly string[], right: readonly string[]): number {
  const max = Math.min(left.length, right.length);
  let count = 0;
  while (count < max && left[count] === right[count]) count += 1;
  return count;
}

function sharedEnd(left: readonly string[], right: readonly string[], start: number): number {
  const max = Math.min(left.length, right.length) - start;
  let count = 0;
  while (count < max && left.at(-1 - count) === right.at(-1 - count)) count += 1;
  return count;
}
