import { setTimeout as delay } from 'node:timers/promises';
import { SessionStoreUnavailableError } from '../errors/session-store-unavailable-error.ts';
import { KeyedMutex } from '../keyed-mutex.ts';

/** Port: named leases that expire by the database's clock if their holder dies. */
export interface LeaseKeeper {
  /** True if `holder` has the lease, newly or already. */
  take(key: string, holder: string, forMs: number): Promise<boolean>;
  /** Does nothing if `holder` does not have it. */
  release(key: string, holder: string): Promise<void>;
}

export interface LeaseTimes {
  /** How long a dead holder blocks others. */
  readonly leaseMs: number;
  /** How long to wait for a lease. */
  readonly waitMs: number;
}

const LEASE_TIMES: LeaseTimes = { leaseMs: 15_000, waitMs: 60_000 };

/** Runs one callback per key at a time, across all processes that share the database. */
export class Leases {
  readonly #keeper: LeaseKeeper;
  readonly #times: LeaseTimes;
  /** Only one caller per process asks the database for a key. */
  readonly #mutex = new KeyedMutex();

  constructor(keeper: LeaseKeeper, times: LeaseTimes = LEASE_TIMES) {
    this.#keeper = keeper;
    this.#times = times;
  }

  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(key, async () => {
      const holder = crypto.randomUUID();
      await this.#wait(key, holder);
      const renewing = this.#keepRenewing(key, holder);
      try {
        return await work();
      } finally {
        clearInterval(renewing);
        await this.#keeper.release(key, holder);
      }
    });
  }

  async #wait(key: string, holder: string): Promise<void> {
    const giveUpAt = performance.now() + this.#times.waitMs;
    while (!(await this.#keeper.take(key, holder, this.#times.leaseMs))) {
      if (performance.now() > giveUpAt) {
        throw new SessionStoreUnavailableError(`wait for the lock on ${key}`, {
          outcome: 'none',
          cause: new Error(`another process held it for ${this.#times.waitMs} ms`),
        });
      }
      // Jitter prevents waiting processes from polling in lockstep.
      await delay(2 + Math.random() * 18);
    }
  }

  #keepRenewing(key: string, holder: string): NodeJS.Timeout {
    const renew = (): void => {
      // A failed renewal is repeated by the next one; the lease outlasts two of them.
      this.#keeper.take(key, holder, this.#times.leaseMs).catch(() => undefined);
    };
    return setInterval(renew, this.#times.leaseMs / 3).unref();
  }
}
