/** Wrong tokens from one address within a time window. */
interface Attempts {
  count: number;
  readonly until: number;
}

const WINDOW_MS = 60_000;
const MAX_FAILURES = 10;
const MAX_ADDRESSES = 10_000;

/** Counts wrong tokens per address to stop guessing. */
export class FailedAttempts {
  readonly #now: () => number;
  readonly #byAddress = new Map<string, Attempts>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Records a wrong token; returns the seconds to wait before the next attempt, 0 for none. */
  add(address: string): number {
    const now = this.#now();
    const known = this.#byAddress.get(address);
    const attempts = known && known.until > now ? known : this.#begin(address, now);
    attempts.count += 1;
    return attempts.count > MAX_FAILURES ? Math.ceil((attempts.until - now) / 1000) : 0;
  }

  #begin(address: string, now: number): Attempts {
    if (this.#byAddress.size >= MAX_ADDRESSES) this.#byAddress.clear();
    const attempts = { count: 0, until: now + WINDOW_MS };
    this.#byAddress.set(address, attempts);
    return attempts;
  }
}
