import { fenceAfter } from './code-fence.ts';

/** Characters per row that are more than any window shows. */
const MAX_ROW = 400;

/**
 * The end of a streaming text, at least as high as the window: laying out all of it again for every frame would cost more with
 * each line. An open code block keeps its opening line, a table its head.
 */
export function visibleEnd(text: string, rows: number): string {
  const lines = text.split('\n');
  if (lines.length > 2 * rows)
    return lastLines(lines, rows)
      .map((line) => cut(line, rows))
      .join('\n');
  return text.length > 2 * rows * MAX_ROW ? lines.map((line) => cut(line, rows)).join('\n') : text;
}

function lastLines(lines: readonly string[], rows: number): readonly string[] {
  const wanted = lines.length - rows;
  const fence = fenceAt(lines, wanted);
  if (fence?.isOpen) return [lines[fence.start] ?? '', ...lines.slice(wanted)];
  if (fence) return lines.slice(fence.start);
  // An indented line belongs to what is above it.
  let start = wanted;
  while (start > wanted - rows && /^(?:\s|$)/.test(lines[start] ?? '')) start -= 1;
  const head = isTableRow(lines[start]) ? tableHead(lines, start) : [];
  return [...head, ...lines.slice(start)];
}

interface Fence {
  readonly start: number;
  /** It is not closed at the end of the text. */
  readonly isOpen: boolean;
}

/** The code block that a line is inside of. */
function fenceAt(lines: readonly string[], wanted: number): Fence | undefined {
  let open: string | undefined;
  let start = 0;
  let found: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (index === wanted && open !== undefined) found = start;
    const after = fenceAfter(open, line);
    if (open === undefined && after !== undefined) start = index;
    open = after;
  }
  return found === undefined
    ? undefined
    : { start: found, isOpen: open !== undefined && start === found };
}

/** The row of names and the row below it. */
function tableHead(lines: readonly string[], row: number): readonly string[] {
  let start = row;
  while (isTableRow(lines[start - 1])) start -= 1;
  return row < start + 2 ? lines.slice(start, row) : lines.slice(start, start + 2);
}

function isTableRow(line: string | undefined): boolean {
  return line?.startsWith('|') === true;
}

/** The end of a line that is longer than the window. */
function cut(line: string, rows: number): string {
  return line.length > rows * MAX_ROW ? line.slice(-rows * MAX_ROW) : line;
}
