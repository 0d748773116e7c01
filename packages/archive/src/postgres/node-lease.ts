import { randomUUID } from 'node:crypto';
import { type Link, ResponseLostError } from './link.ts';
import type { Tables } from './tables.ts';

/** Both clocks of this machine in milliseconds: one never jumps, the other also counts while the machine sleeps. */
export interface LeaseClock {
  monotonic(): number;
  wall(): number;
}

export const SYSTEM_CLOCK: LeaseClock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
};

export interface NodeLeaseParts {
  /** A separate connection, because a heartbeat must not wait behind other statements. */
  readonly link: Link;
  readonly tables: Tables;
  readonly name: string;
  readonly url?: string | undefined;
  readonly workspaces?: readonly string[] | undefined;
  readonly ttlMs: number;
  readonly clock: LeaseClock;
  /** Called once, when the lease has ended. */
  readonly onLost: (reason: Error) => void;
}

/** Share of the lease time that the holder uses; the rest covers network delay and clock drift. */
const USED_SHARE = 0.9;

/**
 * A node's lease: its holder may run sessions. It expires by the database's clock; here it expires earlier, counted from
 * when the last renewal was sent. An expired lease is never renewed.
 */
export class NodeLease {
  readonly id = randomUUID();
  readonly #parts: NodeLeaseParts;
  #until = { monotonic: 0, wall: 0 };
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(parts: NodeLeaseParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { link, tables, name, url, workspaces, ttlMs } = this.#parts;
    const until = this.#untilFromNow();
    const text = `INSERT INTO ${tables.node} (id, name, url, workspaces, until)
      VALUES ($1::uuid, $2, $3, $4::text[], clock_timestamp() + $5::float8 * interval '1 ms')`;
    await link.query(text, [this.id, name, url ?? null, workspaces ?? null, ttlMs]);
    this.#until = until;
    this.#schedule();
  }

  isAlive(): boolean {
    if (this.#isOver) return false;
    const { clock } = this.#parts;
    const isInTime = clock.monotonic() < this.#until.monotonic && clock.wall() < this.#until.wall;
    if (!isInTime) this.end(new Error('this node could not renew its lease in time'));
    return isInTime;
  }

  lossError(): Error {
    return new Error('this node lost its lease: it was cut off from the database for too long');
  }

  /** Ends the lease here; in the database it expires, or `release` deletes it. */
  end(reason: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#parts.onLost(reason);
  }

  /** Ends the lease in the database too, so that other nodes need not wait for it to expire. */
  async release(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#renewing;
    const { link, tables } = this.#parts;
    await link.query(`DELETE FROM ${tables.node} WHERE id = $1::uuid`, [this.id]);
  }

  #schedule(): void {
    const { ttlMs } = this.#parts;
    const every = ttlMs / 3;
    let next = this.#parts.clock.monotonic() + every;
    let isRenewing = false;
    // Checks often, so that the end is noticed at once; renews seldom.
    const check = () => {
      if (!this.isAlive() || isRenewing || this.#parts.clock.monotonic() < next) return;
      next = this.#parts.clock.monotonic() + every;
      isRenewing = true;
      this.#renewing = this.#renew().finally(() => {
        isRenewing = false;
      });
    };
    this.#timer = setInterval(check, Math.max(5, ttlMs / 60));
  }

  async #renew(): Promise<void> {
    const { link, tables, ttlMs } = this.#parts;
    const until = this.#untilFromNow();
    const text = `UPDATE ${tables.node} SET until = clock_timestamp() + $2::float8 * interval '1 ms'
      WHERE id = $1::uuid AND until > clock_timestamp() RETURNING 1 AS is_alive`;
    try {
      const rows = await link.query(text, [this.id, ttlMs]);
      if (rows.length === 1) this.#until = until;
      else this.end(new Error('the lease of this node has ended'));
    } catch (error) {
      // The next renewal may succeed before the lease expires.
      if (!(error instanceof ResponseLostError)) this.end(error as Error);
    }
  }

  #untilFromNow(): { monotonic: number; wall: number } {
    const { clock, ttlMs } = this.#parts;
    const used = ttlMs * USED_SHARE;
    return { monotonic: clock.monotonic() + used, wall: clock.wall() + used };
  }
}
