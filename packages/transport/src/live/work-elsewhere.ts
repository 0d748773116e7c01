import type { SessionRow } from '../protocol.ts';

/** How often working sessions are checked. */
const CHECK_MS = 5000;

export interface WorkElsewhereOptions {
  /** The current row; rejects when the session is gone. */
  readonly read: (row: SessionRow) => Promise<SessionRow>;
  readonly onIdle: (row: SessionRow) => void;
}

/**
 * Sessions that other programs were writing when last reported. A program that stops emits nothing, so they are
 * polled until idle; otherwise lists would show them as working forever.
 */
export class WorkElsewhere {
  readonly #rows = new Map<string, SessionRow>();
  readonly #options: WorkElsewhereOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WorkElsewhereOptions) {
    this.#options = options;
  }

  /** Call with every reported row. */
  track(rows: readonly SessionRow[]): void {
    for (const row of rows) {
      const key = `${row.agent} ${row.id}`;
      if (row.state === 'working' && row.access === 'follow') this.#rows.set(key, row);
      else this.#rows.delete(key);
    }
    if (this.#rows.size === 0) this.close();
    else this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #check(): Promise<void> {
    for (const [key, row] of [...this.#rows]) {
      const now = await this.#options.read(row).catch(() => undefined);
      if (now?.state === 'working') continue;
      this.#rows.delete(key);
      if (now) this.#options.onIdle(now);
    }
    if (this.#rows.size === 0) this.close();
  }
}
