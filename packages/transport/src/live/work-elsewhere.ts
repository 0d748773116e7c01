import type { SessionRow } from '../protocol.ts';

/** How often those that worked are looked at again. */
const LOOK_MS = 5000;

export interface WorkElsewhereOptions {
  /** What is known of it now; rejects when it is gone. */
  readonly read: (row: SessionRow) => Promise<SessionRow>;
  readonly onRest: (row: SessionRow) => void;
}

/**
 * Sessions that other programs were writing when they were last told of. A program that stops says nothing, so they are
 * looked at again until they rest; otherwise a list would show them at work for ever.
 */
export class WorkElsewhere {
  readonly #rows = new Map<string, SessionRow>();
  readonly #options: WorkElsewhereOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WorkElsewhereOptions) {
    this.#options = options;
  }

  /** Rows as they are told to somebody. */
  see(rows: readonly SessionRow[]): void {
    for (const row of rows) {
      const key = `${row.agent} ${row.id}`;
      if (row.state === 'working' && row.access === 'follow') this.#rows.set(key, row);
      else this.#rows.delete(key);
    }
    if (this.#rows.size === 0) this.close();
    else this.#timer ??= setInterval(() => void this.#lookAgain(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #lookAgain(): Promise<void> {
    for (const [key, row] of [...this.#rows]) {
      const now = await this.#options.read(row).catch(() => undefined);
      if (now?.state === 'working') continue;
      this.#rows.delete(key);
      if (now) this.#options.onRest(now);
    }
    if (this.#rows.size === 0) this.close();
  }
}
