import { randomUUID } from 'node:crypto';
import { AnswerLostError, type Link } from './link.ts';
import type { Tables } from './tables.ts';

/** Both clocks of this machine, in milliseconds: one that never jumps, one that counts while the machine sleeps. */
export interface LeaseClock {
  monotonic(): number;
  wall(): number;
}

export const SYSTEM_CLOCK: LeaseClock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
};

export interface NodeLeaseParts {
  /** A connection of its own: a heartbeat must not wait behind work. */
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

/** Of its time the holder uses so much: the rest is for the way of the statement and for clocks that run apart. */
const USED_SHARE = 0.9;

/**
 * One life of a node: whoever holds it may run sessions. It ends by the database's clock; here it ends earlier, by
 * the time the last renewal was sent. A lease that ended never comes back.
 */
export class NodeLease {
  readonly id = randomUUID();
  readonly #parts: NodeLeaseParts;
  #until = { monotonic: 0, wall: 0 };
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #beat: Promise<void> = Promise.resolve();

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

  /** Ends it here; the database ends it by its own clock, or `release` does. */
  end(reason: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#parts.onLost(reason);
  }

  /** Ends it in the database too, so that nobody waits for its time to pass. */
  async release(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#beat;
    const { link, tables } = this.#parts;
    await link.query(`DELETE FROM ${tables.node} WHERE id = $1::uuid`, [this.id]);
  }

  #schedule(): void {
    const { ttlMs } = this.#parts;
    const every = ttlMs / 3;
    let next = this.#parts.clock.monotonic() + every;
    let isBeating = false;
    // Looks often, so that the end is noticed at once; beats seldom.
    const look = () => {
      if (!this.isAlive() || isBeating || this.#parts.clock.monotonic() < next) return;
      next = this.#parts.clock.monotonic() + every;
      isBeating = true;
      this.#beat = this.#renew().finally(() => {
        isBeating = false;
      });
    };
    this.#timer = setInterval(look, Math.max(5, ttlMs / 60));
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
      // Until the time is over the next beat may succeed.
      if (!(error instanceof AnswerLostError)) this.end(error as Error);
    }
  }

  #untilFromNow(): { monotonic: number; wall: number } {
    const { clock, ttlMs } = this.#parts;
    const used = ttlMs * USED_SHARE;
    return { monotonic: clock.monotonic() + used, wall: clock.wall() + used };
  }
}
