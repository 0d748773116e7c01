import type { Span, StyledLine, TextStyle } from '../markdown/styled-text.ts';
import { cells, cellWidth } from './cell-width.ts';

/** Wraps lines to the terminal width: between words where possible, otherwise inside a long word. */
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

/** The prefix before the text: spaces, one of our marks, a bullet or a number. */
const LEAD = new RegExp(`^\\s*(?:(?:[${'●◐❯✻✓✗·•│!-'}]|\\d+\\.)\\s+)*`, 'u');

/** A wrapped line continues below its text, not below its mark. */
function hangingIndent(line: StyledLine, columns: number): number {
  const text = line.map((piece) => piece.text).join('');
  const width = cellWidth(LEAD.exec(text)?.[0] ?? '');
  return width < columns / 2 ? width : 0;
}

/** Fills lines from the left; a word that does not fit starts the next one. */
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

  /** Start column of the current line. */
  #start(): number {
    return this.#lines.length === 1 ? 0 : this.#indent;
  }
}
