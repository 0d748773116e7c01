import type { Span, StyledLine, TextStyle } from '../markdown/styled-text.ts';
import { cells, cellWidth } from './cell-width.ts';

/** Lines no wider than the terminal: broken between words where possible, inside a long word where not. */
export function wrapLines(lines: readonly StyledLine[], columns: number): StyledLine[] {
  return lines.flatMap((line) => wrapLine(line, Math.max(columns, 2)));
}

function wrapLine(line: StyledLine, columns: number): StyledLine[] {
  const width = line.reduce((sum, { text }) => sum + cellWidth(text), 0);
  if (width <= columns) return [line];
  const writer = new LineWriter(columns);
  for (const { text, style } of line) {
    for (const piece of text.split(/( +)/)) if (piece !== '') writer.write(piece, style);
  }
  return writer.lines();
}

/** Fills lines from the left; a word that does not fit begins the next one. */
class LineWriter {
  readonly #columns: number;
  readonly #lines: Span[][] = [[]];
  #used = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(piece: string, style: TextStyle): void {
    const width = cellWidth(piece);
    const isSpace = piece.trim() === '';
    if (this.#used + width > this.#columns && this.#used > 0) {
      this.#break();
      if (isSpace) return;
    }
    if (width > this.#columns) this.#writeCells(piece, style);
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
    this.#lines.push([]);
    this.#used = 0;
  }
}
