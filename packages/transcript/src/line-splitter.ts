/** Cuts bytes into lines at 0x0A, whatever the chunks; a multi-byte character is never cut. */
export class LineSplitter {
  readonly #onLine: (text: string) => void;
  #pending: Uint8Array[] = [];

  constructor(onLine: (text: string) => void) {
    this.#onLine = onLine;
  }

  write(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#emit(chunk.subarray(start, end));
      start = end + 1;
    }
    // A copy, because the reader may use the chunk's memory again; `slice` of a Node buffer is none.
    if (start < chunk.length) this.#pending.push(new Uint8Array(chunk.subarray(start)));
  }

  /** A last line without a newline counts as a line. */
  end(): void {
    if (this.#pending.length > 0) this.#emit(new Uint8Array(0));
  }

  #emit(rest: Uint8Array): void {
    if (this.#pending.length === 0) {
      this.#onLine(decoder.decode(rest));
      return;
    }
    const line = joinBytes([...this.#pending, rest]);
    this.#pending = [];
    this.#onLine(decoder.decode(line));
  }
}

/** Hands out the lines of a text one by one without splitting the whole of it first. */
export function forEachLine(text: string, onLine: (line: string) => void): void {
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    onLine(text.slice(start, end));
    start = end + 1;
  }
  if (start < text.length) onLine(text.slice(start));
}

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
