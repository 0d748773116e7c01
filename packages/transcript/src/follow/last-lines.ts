/** The last lines of a transcript, few enough to be parsed again on every change. */
export class LastLines {
  #lines: string[] = [];
  #length = 0;

  push(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#lines.length < 2 * MAX_LINES && this.#length < 2 * MAX_CHARACTERS) return;
    this.#lines = this.toArray();
    this.#length = this.#lines.reduce((length, each) => length + each.length, 0);
  }

  toArray(): string[] {
    const last = this.#lines.slice(-MAX_LINES);
    let length = last.reduce((sum, line) => sum + line.length, 0);
    while (length > MAX_CHARACTERS && last.length > MIN_LINES) {
      length -= last.shift()?.length ?? 0;
    }
    return last;
  }
}

const MAX_LINES = 120;
const MIN_LINES = 40;
const MAX_CHARACTERS = 1 << 20;
