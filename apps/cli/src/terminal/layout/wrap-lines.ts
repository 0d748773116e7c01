import type { Span, StyledLine, TextStyle } from '../markdown/styled-text.ts';
import { cells, cellWidth } from './cell-width.ts';

/** Lines no wider than the terminal: broken between words where possible, inside a long word where not. */
export function wrapLines(lines: readonly StyledLine[], columns: number): StyledLine[] {
  return lines.flatMap((line) => wrapLine(line, Math.max(columns, 2)));
}

function wrapLine(line: StyledLine, columns: number): StyledLine[] {
  const width = line.reduce((sum, { text }) => sum + cellWidth(text), 0);
  if (width <= columns) return [line];
  const writer = new LineWriter(columns, hangingIndent(line, columns));
  for (const { text, style } of line) {
    for (const piece of text.split(/( +)/)) if (piece !== '') writer.write(piece, style);
  }
  return writer.lines();
}

/** What stands before the words: spaces, a mark of ours, a bullet or a number. */
const LEAD = new RegExp(`^\\s*(?:(?:[${'●◐❯✻✓✗·•│!-'}]|\\d+\\.)\\s+)*`, 'u');

/** A broken line goes on under its words, not under its mark. */
function hangingIndent(line: StyledLine, columns: number): number {
  const text = line.map((piece) => piece.text).join('');
  const width = cellWidth(LEAD.exec(text)?.[0] ?? '');
  return width < columns / 2 ? width : 0;
}

/** Fills lines from the left; a word that does not fit begins the next one. */
class LineWriter {
  readonly #columns: number;
  readonly #indent: number;
  readonly #lines: Span[][] = [[]];
  #used = 0;

  constructor(columns: number, indent: number) {
    this.#columns = columns;
    this.#indent = indent;
  }

  write(piece: string, style: TextStyle): void {
    const width = cellWidth(piece);
    const isSpace = piece.trim() === '';
    if (this.#used + width > this.#columns && this.#used > this.#start()) {
      this.#break();
      if (isSpace) return;
    }
    if (this.#used + width > this.#columns) this.#writeCells(piece, style);
    else this.#append(piece, style, width);
  }

  lines(): StyledLine[] {
    return this.#lines;
  }

  #writeCells(piece: string, style: TextStyle): void {
    for (const { text, width } of cells(piece)) {
      if (this.#used + width > this.#columns) this.#break();
      this.#append(text, style, width);
    }
  }

  #append(text: string, style: TextStyle, width: number): void {
    const line = this.#lines.at(-1) ?? [];
    const last = line.at(-1);
    if (last?.style === style) line[line.length - 1] = { text: last.text + text, style };
    else line.push({ text, style });
    this.#used += width;
  }

  #break(): void {
    this.#lines.push(
      this.#indent === 0 ? [] : [{ text: ' '.repeat(this.#indent), style: 'plain' }],
    );
    this.#used = this.#indent;
  }

  /** Where the words of the present line begin. */
  #start(): number {
    return this.#lines.length === 1 ? 0 : this.#indent;
  }
}
