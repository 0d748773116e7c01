/** Cuts bytes into lines at 0x0A, whatever the chunks; a multi-byte character is never cut. */
export class LineSplitter {
  readonly #onLine: (text: string, offset: number) => void;
  #pending: Uint8Array[] = [];
  /** Where the line that is being written begins. */
  #lineStart: number;
  #written: number;

  /** `offset` is where in its file the first byte stands. */
  constructor(onLine: (text: string, offset: number) => void, offset = 0) {
    this.#onLine = onLine;
    this.#lineStart = offset;
    this.#written = offset;
  }

  /** Where the last whole line ends. */
  get offset(): number {
    return this.#lineStart;
  }

  write(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#emit(chunk.subarray(start, end));
      start = end + 1;
      this.#lineStart = this.#written + start;
    }
    this.#written += chunk.length;
    // A copy, because the reader may use the chunk's memory again; `slice` of a Node buffer is none.
    if (start < chunk.length) this.#pending.push(new Uint8Array(chunk.subarray(start)));
  }

  /** A last line without a newline counts as a line. */
  end(): void {
    if (this.#pending.length > 0) this.#emit(new Uint8Array(0));
  }

  #emit(rest: Uint8Array): void {
    if (this.#pending.length === 0) {
      this.#onLine(decoder.decode(rest), this.#lineStart);
      return;
    }
    const line = joinBytes([...this.#pending, rest]);
    this.#pending = [];
    this.#onLine(decoder.decode(line), this.#lineStart);
  }
}

/** Hands out the lines of a text one by one, with the byte of UTF-8 at which each begins. */
export function forEachLine(text: string, onLine: (line: string, offset: number) => void): void {
  let start = 0;
  let offset = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    const line = text.slice(start, end);
    onLine(line, offset);
    start = end + 1;
    offset += byteLength(line) + 1;
  }
  if (start < text.length) onLine(text.slice(start), offset);
}

/** Most lines are ASCII, for which nothing has to be encoded. */
function byteLength(line: string): number {
  return NOT_ASCII.test(line) ? encoder.encode(line).length : line.length;
}

const NOT_ASCII = /[^\0-\x7f]/;
const encoder = new TextEncoder();

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

const NEWLINE = 0x0a;
const decoder = new TextDecoder();
