/** One line of a change. Numbers count from 1 and are missing where nobody knows them. */
export interface ToolDiffLine {
  /** `@` stands between two places of one file, or names the next file of a change to several. */
  readonly sign: ' ' | '+' | '-' | '@';
  readonly text: string;
  readonly oldLine?: number;
  readonly newLine?: number;
}

/** A text before and after, and where its first line stands in the file. */
export interface TextChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Missing where only the changed part is known and not its place. */
  readonly startLine?: number | undefined;
}

/** Lines shown around a change. */
const CONTEXT_LINES = 3;
/** Beyond this many pairs of lines the middle of a change is shown as replaced whole. */
const MAX_PAIRS = 250_000;

/** The lines of a file; the newline at its end begins no further one. */
export function linesOfText(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** What changed, with a few lines around each place. */
export function compareLines(change: TextChange): ToolDiffLine[] {
  const lines = allLines(change);
  const isNear = nearChanges(lines);
  const shown: ToolDiffLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear[index]) shown.push(line);
    else if (isNear[index - 1] && isNear.includes(true, index)) shown.push(GAP);
  }
  return shown;
}

const GAP: ToolDiffLine = { sign: '@', text: '' };

function nearChanges(lines: readonly ToolDiffLine[]): boolean[] {
  const isNear = new Array<boolean>(lines.length).fill(false);
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const last = Math.min(lines.length - 1, index + CONTEXT_LINES);
    for (let near = Math.max(0, index - CONTEXT_LINES); near <= last; near++) isNear[near] = true;
  }
  return isNear;
}

function allLines({ before, after, startLine }: TextChange): ToolDiffLine[] {
  const head = sharedHead(before, after);
  const tail = sharedTail(before.slice(head), after.slice(head));
  const oldMiddle = before.slice(head, before.length - tail);
  const newMiddle = after.slice(head, after.length - tail);
  const writer = new DiffWriter(startLine);
  for (const text of before.slice(0, head)) writer.keep(text);
  let [oldAt, newAt] = [0, 0];
  const end = { old: oldMiddle.length, new: newMiddle.length };
  for (const pair of [...commonLines(oldMiddle, newMiddle), end]) {
    while (oldAt < pair.old) writer.remove(oldMiddle[oldAt++] ?? '');
    while (newAt < pair.new) writer.add(newMiddle[newAt++] ?? '');
    if (pair !== end) writer.keep(newMiddle[newAt] ?? '');
    oldAt++;
    newAt++;
  }
  for (const text of before.slice(before.length - tail)) writer.keep(text);
  return writer.lines;
}

function sharedHead(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  return head;
}

function sharedTail(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let tail = 0;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return tail;
}

interface LinePair {
  readonly old: number;
  readonly new: number;
}

/** The longest sequence of lines that both sides share. */
function commonLines(before: readonly string[], after: readonly string[]): LinePair[] {
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

/** Numbers lines on both sides while they are written. */
export class DiffWriter {
  readonly lines: ToolDiffLine[] = [];
  #old: number | undefined;
  #new: number | undefined;

  constructor(startLine?: number, newStartLine = startLine) {
    this.#old = startLine;
    this.#new = newStartLine;
  }

  keep(text: string): void {
    this.lines.push({ sign: ' ', text, ...this.#oldNumber(), ...this.#newNumber() });
  }

  remove(text: string): void {
    this.lines.push({ sign: '-', text, ...this.#oldNumber() });
  }

  add(text: string): void {
    this.lines.push({ sign: '+', text, ...this.#newNumber() });
  }

  /** Goes on at another place of the file. */
  jump(startLine: number | undefined, newStartLine = startLine): void {
    this.#old = startLine;
    this.#new = newStartLine;
  }

  #oldNumber(): { oldLine?: number } {
    return this.#old === undefined ? {} : { oldLine: this.#old++ };
  }

  #newNumber(): { newLine?: number } {
    return this.#new === undefined ? {} : { newLine: this.#new++ };
  }
}
