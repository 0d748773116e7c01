import type { WriteStream } from 'node:tty';
import { cutLine, lineWidth } from '../layout/fit-line.ts';
import type { StyledLine } from '../markdown/styled-text.ts';
import { paintLine } from './paint.ts';
import type { Theme } from './theme.ts';

const ALTERNATE_SCREEN_ON = '\u001b[?1049h\u001b[?25l';
const ALTERNATE_SCREEN_OFF = '\u001b[?1049l\u001b[?25h';
const BEGIN_FRAME = '\u001b[?2026h\u001b[?7l';
const END_FRAME = '\u001b[?7h\u001b[?2026l';
const ERASE_TO_END_OF_ROW = '\u001b[K';

interface PageSize {
  readonly columns: number;
  readonly rows: number;
}

/** A page as large as the window, on the alternate screen: what stood before comes back when it is closed. */
export class FullPage {
  readonly #terminal: WriteStream;
  /** Undefined while the page is closed. */
  #drawn: (PageSize & { readonly painted: readonly string[] }) | undefined;

  constructor(terminal: WriteStream) {
    this.#terminal = terminal;
  }

  /** Writes the rows that differ from the screen; lines that are too wide or too many are cut. */
  draw(lines: readonly StyledLine[], { columns, rows }: PageSize, theme: Theme): void {
    const shown = lines.slice(0, rows).map((line) => cutLine(line, columns));
    const painted = shown.map((line) => paintLine(line, theme));
    const before = this.#drawn;
    const isSameSize = before?.columns === columns && before.rows === rows;
    const changed = painted.flatMap((text, row) => {
      if (isSameSize && before.painted[row] === text) return [];
      // At the right edge the cursor stays on the last character, which erasing would remove.
      const erasure = lineWidth(shown[row] ?? []) < columns ? ERASE_TO_END_OF_ROW : '';
      return [`\u001b[${row + 1};1H${text}${erasure}`];
    });
    this.#drawn = { columns, rows, painted };
    if (changed.length === 0) return;
    const opening = before ? '' : ALTERNATE_SCREEN_ON;
    this.#terminal.write(`${opening}${BEGIN_FRAME}${changed.join('')}${END_FRAME}`);
  }

  /** The page is no longer on the screen. */
  forget(): void {
    this.#drawn = undefined;
  }

  close(): void {
    if (!this.#drawn) return;
    this.#drawn = undefined;
    this.#terminal.write(ALTERNATE_SCREEN_OFF);
  }
}
