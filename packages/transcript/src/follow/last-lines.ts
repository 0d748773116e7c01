/** The last lines of a transcript, few enough to be read again at every change. */
export class LastLines {
  #lines: string[] = [];
  #length = 0;

  push(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#lines.length < 2 * MOST_LINES && this.#length < 2 * MOST_CHARACTERS) return;
    this.#lines = this.toArray();
    this.#length = this.#lines.reduce((length, each) => length + each.length, 0);
  }

  toArray(): string[] {
    const last = this.#lines.slice(-MOST_LINES);
    let length = last.reduce((sum, line) => sum + line.length, 0);
    while (length > MOST_CHARACTERS && last.length > FEWEST_LINES) {
      length -= last.shift()?.length ?? 0;
    }
    return last;
  }
}

const MOST_LINES = 120;
const FEWEST_LINES = 40;
const MOST_CHARACTERS = 1 << 20;
