import { commonLines, type DiffLine } from '@robota-sdk/agent-core/log';

export interface DiffSite {
  /** The changed section, in complete lines. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** First line of the section in both the old and the new file, counted from 1. */
  readonly start: number;
  readonly leading: readonly string[];
  readonly trailing: readonly string[];
}

/** A unified diff of one section with its context lines, hunk header first. */
export function unifiedDiff({ before, after, start, leading, trailing }: DiffSite): DiffLine[] {
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
  const common = commonLines(before, after);
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
