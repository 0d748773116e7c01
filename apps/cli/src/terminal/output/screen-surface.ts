import { EventEmitter } from 'node:events';
import type { WriteStream } from 'node:tty';

/** Higher than any frame: a frame as high as the window makes Ink erase the scrollback. */
const ROWS_FOR_INK = 100_000;

/** What Ink takes for the terminal. It hides the height and resizes from Ink, and can be held while something else has the screen. */
export class ScreenSurface extends EventEmitter {
  readonly isTTY = true;
  readonly rows = ROWS_FOR_INK;
  readonly #terminal: WriteStream;
  /** What was written while something else had the screen. */
  #held: string[] | undefined;
  #isMuted = false;
  /** The frame on the screen; undefined before the first. */
  #frame: FrameShape | undefined;
  /** The frame that Ink is about to write. */
  #nextFrame: FrameShape | undefined;

  constructor(terminal: WriteStream) {
    super();
    this.#terminal = terminal;
  }

  get columns(): number {
    return this.#terminal.columns ?? 80;
  }

  write(text: string, done?: () => void): boolean {
    if (this.#held === undefined && !this.#isMuted) {
      this.#frame = this.#nextFrame ?? this.#frame;
      this.#nextFrame = undefined;
      return this.#terminal.write(text, done);
    }
    if (!this.#isMuted) this.#held?.push(text);
    done?.();
    return true;
  }

  /** Keeps back what is written until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.write(text);
  }

  /** Lets nothing through any more. */
  close(): void {
    this.#isMuted = true;
  }

  /** Told before every frame, so that a resize knows what to erase. */
  expectFrame(frame: FrameShape): void {
    this.#nextFrame = frame;
  }

  /**
   * Blanks the frame after the terminal has folded its rows to a new width. As many blank rows take its place as Ink
   * believes to be there, so that the next frame is drawn over them and nothing above is touched.
   */
  blankFrame(): void {
    if (!this.#frame) return;
    const { widths, cursorRow } = this.#frame;
    const above = widths
      .slice(0, cursorRow)
      .reduce((rows, width) => rows + Math.max(1, Math.ceil(width / this.columns)), 0);
    const erase = `\r${up(above)}\u001b[J`;
    this.#terminal.write(`${erase}${'\n'.repeat(widths.length)}${up(widths.length - cursorRow)}`);
    this.#frame = { widths: widths.map(() => 0), cursorRow };
  }
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : '';
}

/** How wide each row of a frame is, and in which of them the cursor stands. */
interface FrameShape {
  readonly widths: readonly number[];
  readonly cursorRow: number;
}
