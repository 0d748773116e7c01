import type { DiffLine } from '@robota-sdk/agent-core/log';

export interface DiffSite {
  /** The changed stretch, whole lines. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Where the stretch begins in the old and in the new file, from 1. */
  readonly start: number;
  readonly leading: readonly string[];
  readonly trailing: readonly string[];
}

/** Beyond this many pairs of lines a stretch is shown as replaced whole. */
const MAX_PAIRS = 250_000;

/** A unified diff of one stretch with its context lines, hunk header first. */
export function diffLines({ before, after, start, leading, trailing }: DiffSite): DiffLine[] {
  const from = start - leading.length;
  const oldCount = leading.length + before.length + trailing.length;
  const newCount = leading.length + after.length + trailing.length;
  const header = `@@ -${from},${oldCount} +${from},${newCount} @@`;
  return [
    { type: 'hunk', text: header, lineNumber: from },
    ...leading.map((text, index) => context(text, from + index)),
    ...changedLines(before, after, start),
    ...trailing.map((text, index) => context(text, start + after.length + index)),
  ];
}

function context(text: string, lineNumber: number): DiffLine {
  return { type: 'context', text, lineNumber };
}

function changedLines(
  before: readonly string[],
  after: readonly string[],
  start: number,
): DiffLine[] {
  const common = longestCommon(before, after);
  const lines: DiffLine[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const pair of [...common, { old: before.length, new: after.length }]) {
    for (; oldAt < pair.old; oldAt++) {
      lines.push({ type: 'remove', text: before[oldAt] ?? '', lineNumber: start + oldAt });
    }
    for (; newAt < pair.new; newAt++) {
      lines.push({ type: 'add', text: after[newAt] ?? '', lineNumber: start + newAt });
    }
    if (newAt < after.length) lines.push(context(after[newAt] ?? '', start + newAt));
    oldAt++;
    newAt++;
  }
  return lines;
}

interface LinePair {
  readonly old: number;
  readonly new: number;
}

/** The lines both sides share, in order: the longest such sequence. */
function longestCommon(before: readonly string[], after: readonly string[]): LinePair[] {
  if (before.length * after.length > MAX_PAIRS) return [];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: LinePair[] = [];
  for (let row = 0, column = 0; row < before.length && column < after.length; ) {
    if (before[row] === after[column]) pairs.push({ old: row++, new: column++ });
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}
