import { setTimeout as delay } from 'node:timers/promises';
import { SessionStoreUnavailableError } from '../errors/session-store-unavailable-error.ts';
import { KeyedMutex } from '../keyed-mutex.ts';

/** Port: named leases that end by the database's own clock when their holder dies. */
export interface LeaseKeeper {
  /** True when `holder` has the lease now, whether it is new or was `holder`'s already. */
  take(key: string, holder: string, forMs: number): Promise<boolean>;
  /** Does nothing when `holder` does not have it. */
  release(key: string, holder: string): Promise<void>;
}

export interface LeaseTimes {
  /** How long a holder that died keeps others out. */
  readonly leaseMs: number;
  /** How long to wait for another holder before giving up. */
  readonly waitMs: number;
}

const LEASE_TIMES: LeaseTimes = { leaseMs: 15_000, waitMs: 60_000 };

/** Runs one holder of a key at a time, across all processes that share the keeper's database. */
export class Leases {
  readonly #keeper: LeaseKeeper;
  readonly #times: LeaseTimes;
  /** Only one caller of this process at a time asks the database for a key. */
  readonly #turns = new KeyedMutex();

  constructor(keeper: LeaseKeeper, times: LeaseTimes = LEASE_TIMES) {
    this.#keeper = keeper;
    this.#times = times;
  }

  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(key, async () => {
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
        throw new SessionStoreUnavailableError(`wait for the turn of ${key}`, {
          outcome: 'none',
          cause: new Error(`another holder kept it for ${this.#times.waitMs} ms`),
        });
      }
      // Jitter keeps many waiting processes from asking in step.
      await delay(2 + Math.random() * 18);
    }
  }

  #keepRenewing(key: string, holder: string): NodeJS.Timeout {
    const renew = (): void => {
      // A missed renewal is made good by the next one; the lease outlasts two of them.
      this.#keeper.take(key, holder, this.#times.leaseMs).catch(() => undefined);
    };
    return setInterval(renew, this.#times.leaseMs / 3).unref();
  }
}
