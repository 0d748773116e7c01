import type { WriteStream } from 'node:tty';
import { cells } from '../layout/cell-width.ts';
import { lineWidth } from '../layout/fit-line.ts';
import type { ScreenLayout } from '../layout/layout-screen.ts';
import type { StyledLine } from '../markdown/styled-text.ts';
import { paintLine } from './paint.ts';
import type { ResizeBehaviour } from './resize-behaviour.ts';
import { sizeOf } from './terminal-size.ts';
import type { Theme } from './theme.ts';

const BEGIN_FRAME = '\u001b[?2026h\u001b[?25l';
const END_FRAME = '\u001b[?25h\u001b[?2026l';
/** Rows too wide for a window that has just become narrower are cut, so that a frame keeps its number of rows. */
const WRAP_OFF = '\u001b[?7l';
const WRAP_ON = '\u001b[?7h';
const ERASE_TO_END_OF_ROW = '\u001b[K';
const ERASE_BELOW = '\u001b[J';

/**
 * The changing rows at the bottom of the terminal. A frame writes only rows that differ from the screen; finished lines
 * are printed above it once and never touched again.
 */
export class LiveArea {
  readonly #terminal: WriteStream;
  readonly #resize: ResizeBehaviour;
  #drawn: DrawnFrame | undefined;
  /** Recent frames that were drawn in the same place. */
  #replaced: readonly ReplacedFrame[] = [];

  constructor(terminal: WriteStream, resize: ResizeBehaviour) {
    this.#terminal = terminal;
    this.#resize = resize;
  }

  /** Prints lines permanently and draws the layout below them, in one write. */
  draw(printed: readonly StyledLine[], { lines, cursor }: ScreenLayout, theme: Theme): void {
    const before = this.#drawn;
    const { columns, rows: height } = sizeOf(this.#terminal);
    const rows = lines.map((line) => paintLine(line, theme));
    const frame = { lines, cursor, rows, columns, height };
    // A window that has become lower may have cut rows of the frame or moved them into the scrollback.
    const isSameWindow = before?.columns === columns && before.height === height;
    const isUpdate = isSameWindow && printed.length === 0;
    const drawing = isUpdate
      ? changedRows(before, frame)
      : { text: `${this.#erasure()}${allRows(printed, frame, theme)}`, row: rows.length - 1 };
    const place = `\r${down(cursor.y - drawing.row)}${right(cursor.x)}`;
    if (drawing.text !== '') {
      this.#terminal.write(`${BEGIN_FRAME}${drawing.text}${place}${END_FRAME}`);
    } else if (before?.cursor.x !== cursor.x || before.cursor.y !== cursor.y) {
      this.#terminal.write(place);
    }
    const replaced = before && { ...before, replacedAt: performance.now() };
    this.#replaced = isUpdate && replaced ? [...this.#replaced.filter(this.#isLate), replaced] : [];
    this.#drawn = frame;
  }

  /** Leaves the cursor at the start of the erased frame. */
  erase(): void {
    this.#terminal.write(this.#erasure());
    this.forget();
  }

  /** The frame is no longer where it was drawn. */
  forget(): void {
    this.#drawn = undefined;
    this.#replaced = [];
  }

  #erasure(): string {
    if (!this.#drawn) return '';
    const above = Math.min(this.#rowsAbove(this.#drawn), sizeOf(this.#terminal).rows - 1);
    // From the second cell: if the frame starts in the first row, tmux treats erasing all from the first cell as clearing the
    // window and keeps a copy. Not from the next row: a window that has become lower may end here.
    return `\r${down(-above)}${ERASE_TO_END_OF_ROW}${right(1)}${ERASE_BELOW}\r`;
  }

  /**
   * Number of terminal rows from the first row of the frame to the cursor. A narrower window has rewrapped the frame that
   * was on the screen at that moment, which may be an earlier one: the candidate with the fewest rows is assumed, because
   * lines above the frame must not be erased.
   */
  #rowsAbove(drawn: DrawnFrame): number {
    const { columns } = sizeOf(this.#terminal);
    if (!this.#resize.folds || columns >= drawn.columns) return drawn.cursor.y;
    const added = [drawn, ...this.#replaced.filter(this.#isLate)].map(
      (frame) => foldedRowsAbove(frame, columns) - frame.cursor.y,
    );
    return drawn.cursor.y + Math.min(...added);
  }

  /** Whether the frame may still have been on the screen when the window changed: its replacement may have been drawn later. */
  readonly #isLate = ({ replacedAt }: ReplacedFrame): boolean =>
    performance.now() - replacedAt < this.#resize.lateMs;
}

/** The frame on the screen. */
interface DrawnFrame extends ScreenLayout {
  /** The lines as they were written. */
  readonly rows: readonly string[];
  /** The size of the window. */
  readonly columns: number;
  readonly height: number;
}

interface ReplacedFrame extends DrawnFrame {
  readonly replacedAt: number;
}

/** The text to write, and the frame row where it leaves the cursor. */
interface Drawing {
  readonly text: string;
  readonly row: number;
}

function allRows(printed: readonly StyledLine[], { rows }: DrawnFrame, theme: Theme): string {
  const above = printed.map((line) => `${paintLine(line, theme)}\r\n`).join('');
  return `${above}${WRAP_OFF}${rows.join('\r\n')}${WRAP_ON}`;
}

function changedRows(before: DrawnFrame, { lines, rows, columns }: DrawnFrame): Drawing {
  let row = before.cursor.y;
  let text = '';
  for (const [index, painted] of rows.entries()) {
    if (painted === before.rows[index]) continue;
    const isNew = index >= before.rows.length;
    // Only a line feed scrolls at the bottom of the window.
    text += isNew ? `${down(index - 1 - row)}\r\n` : `${down(index - row)}\r`;
    // At the right edge the cursor stays on the last character, which erasing would remove.
    text += `${painted}${lineWidth(lines[index] ?? []) < columns ? ERASE_TO_END_OF_ROW : ''}`;
    row = index;
  }
  if (rows.length < before.rows.length) {
    text += `${down(rows.length - row)}\r${ERASE_BELOW}`;
    row = rows.length;
  }
  return { text: text === '' ? '' : `${WRAP_OFF}${text}${WRAP_ON}`, row };
}

function foldedRowsAbove({ lines, cursor }: DrawnFrame, columns: number): number {
  const above = lines.slice(0, cursor.y);
  const rows = above.reduce((sum, line) => sum + foldedRows(line, columns), 0);
  return rows + Math.floor(cursor.x / columns);
}

/** A two-cell character that does not fit at the end of a row moves to the next one. */
function foldedRows(line: StyledLine, columns: number): number {
  let rows = 1;
  let used = 0;
  for (const { width } of line.flatMap(({ text }) => [...cells(text)])) {
    if (used + width > columns) {
      rows += 1;
      used = 0;
    }
    used += width;
  }
  return rows;
}

function down(rows: number): string {
  if (rows === 0) return '';
  return rows > 0 ? `\u001b[${rows}B` : `\u001b[${-rows}A`;
}

function right(cells: number): string {
  return cells > 0 ? `\u001b[${cells}C` : '';
}
