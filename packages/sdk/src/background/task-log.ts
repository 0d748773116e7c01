/** Maximum lines per read. */
const PAGE_LINES = 200;
/** Maximum characters kept per task; the oldest lines are dropped first. */
const KEPT_CHARACTERS = 1_000_000;
const MAX_LINE = 2_000;

export interface LogPage {
  readonly lines: readonly string[];
  /** Where the next read continues. */
  readonly cursor: number;
  /** Whether there is more right now. */
  readonly hasMore: boolean;
  /** Requested lines that are no longer kept. */
  readonly dropped: number;
}

/** The output of a task in lines, whose numbers never change. */
export class TaskLog {
  #lines: string[] = [];
  #first = 0;
  #characters = 0;
  #open = '';

  write(text: string): void {
    const pieces = (this.#open + text).split('\n');
    this.#open = pieces.pop() ?? '';
    for (const line of pieces) this.#push(line);
    if (this.#open.length > MAX_LINE) this.flush();
  }

  /** Adds the last line even without a line break. */
  flush(): void {
    if (this.#open === '') return;
    const line = this.#open;
    this.#open = '';
    this.#push(line);
  }

  /** Reads from a line on; a negative number counts from the end. */
  read(cursor = 0): LogPage {
    const asked = Math.trunc(cursor) || 0;
    const from = Math.max(0, asked < 0 ? this.#first + this.#lines.length + asked : asked);
    const start = Math.max(0, from - this.#first);
    const lines = this.#lines.slice(start, start + PAGE_LINES);
    const next = this.#first + start + lines.length;
    return {
      lines,
      cursor: Math.min(next, this.#first + this.#lines.length),
      hasMore: next < this.#first + this.#lines.length,
      dropped: Math.max(0, this.#first - from),
    };
  }

  #push(raw: string): void {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const kept = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
    this.#lines.push(kept);
    this.#characters += kept.length + 1;
    let surplus = 0;
    while (this.#characters > KEPT_CHARACTERS && surplus < this.#lines.length - 1) {
      this.#characters -= (this.#lines[surplus]?.length ?? 0) + 1;
      surplus += 1;
    }
    if (surplus === 0) return;
    this.#lines = this.#lines.slice(surplus);
    this.#first += surplus;
  }
}
