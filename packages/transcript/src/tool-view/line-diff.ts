import { commonLines } from '@robota-sdk/agent-core/log';

/** One line of a diff. Line numbers start at 1 and are absent if unknown. */
export interface ToolDiffLine {
  /** `@` separates two hunks, or names the next file of a multi-file change. */
  readonly sign: ' ' | '+' | '-' | '@';
  readonly text: string;
  readonly oldLine?: number;
  readonly newLine?: number;
}

/** A text before and after a change, and its position in the file. */
export interface TextChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Absent if the position in the file is unknown. */
  readonly startLine?: number | undefined;
}

/** Lines shown around a change. */
const CONTEXT_LINES = 3;

/** The lines of a text; a trailing newline does not start another line. */
export function linesOfText(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The changed lines with some context around each. */
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

  /** Continues at another position in the file. */
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
