import { boundLine } from '../bounded-text.ts';

const NEWLINE = 0x0a;
/** Maximum characters shown per line; minified files have lines of megabytes. */
const LINE_LIMIT = 20_000;
/** Maximum characters of all lines; the window ends at the last complete line that fits. */
const WINDOW_LIMIT = 256_000;

export interface LineRange {
  /** 1-based number of the first requested line. */
  readonly offset: number;
  readonly limit: number;
}

/** Selects lines from a stream of bytes and counts all of them, without storing the others. */
export class LineWindow {
  readonly #range: LineRange;
  readonly #lines: string[] = [];
  #shownChars = 0;
  #isFull = false;
  #lineNumber = 1;
  /** The current line so far, if it is requested. */
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #lineBytes = 0;

  constructor(range: LineRange) {
    this.#range = range;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      if (this.#isWanted()) {
        this.#collect(chunk.subarray(from, at));
        this.#endLine();
      }
      this.#lineNumber++;
      this.#lineBytes = 0;
      from = at + 1;
    }
    if (from === chunk.length) return;
    this.#lineBytes += chunk.length - from;
    if (this.#isWanted()) this.#collect(chunk.subarray(from));
  }

  finish(): { readonly lines: readonly string[]; readonly total: number } {
    const hasOpenLine = this.#lineBytes > 0;
    if (hasOpenLine && this.#isWanted()) this.#endLine();
    return { lines: this.#lines, total: hasOpenLine ? this.#lineNumber : this.#lineNumber - 1 };
  }

  #isWanted(): boolean {
    const { offset, limit } = this.#range;
    return !this.#isFull && this.#lineNumber >= offset && this.#lineNumber < offset + limit;
  }

  #collect(bytes: Buffer): void {
    const room = 4 * LINE_LIMIT - this.#partialBytes;
    if (room > 0) this.#partial.push(Buffer.from(bytes.subarray(0, room)));
    this.#partialBytes += bytes.length;
  }

  #endLine(): void {
    const text = Buffer.concat(this.#partial).toString('utf8');
    this.#partial = [];
    this.#partialBytes = 0;
    const line = boundLine(cleanLine(text, this.#lineNumber), LINE_LIMIT);
    this.#shownChars += line.length;
    this.#isFull = this.#shownChars > WINDOW_LIMIT && this.#lines.length > 0;
    if (!this.#isFull) this.#lines.push(line);
  }
}

/** Removes the byte order mark of the file and the carriage return of the line. */
function cleanLine(text: string, lineNumber: number): string {
  const withoutMark = lineNumber === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
  return withoutMark.endsWith('\r') ? withoutMark.slice(0, -1) : withoutMark;
}
