import { setTimeout as delay } from 'node:timers/promises';
import { AppendStatements, type Batch } from './append-statement.ts';
import { AnswerLostError, type Link, type Row } from './link.ts';
import type { NodeLease } from './node-lease.ts';
import type { SessionWriter } from './session-writer.ts';
import type { Tables } from './tables.ts';

export interface AppenderParts {
  readonly link: Link;
  readonly tables: Tables;
  readonly lease: NodeLease;
  /** Told, after the commit, how far a session has come. */
  readonly onWritten: (sid: number, seq: number) => void;
}

/** Milliseconds between two looks at what became of a statement whose answer was lost. */
const LOOK_AGAIN_MS = 50;
/** Sessions that share a statement. */
const MOST_SESSIONS = 256;

/** Writers whose batch is under way, by session. */
type OpenWriters = Map<number, SessionWriter>;

interface Head {
  readonly fence: number;
  readonly last: number;
  readonly isOurs: boolean;
}

/** Writes the lines of all sessions of a node: one statement is under way, and what comes meanwhile goes together. */
export class Appender {
  readonly #parts: AppenderParts;
  readonly #statements: AppendStatements;
  readonly #waiting = new Set<SessionWriter>();
  #isBusy = false;

  constructor(parts: AppenderParts) {
    this.#parts = parts;
    this.#statements = new AppendStatements(parts.tables);
  }

  /** The writer has lines to write. */
  wake(writer: SessionWriter): void {
    this.#waiting.add(writer);
    if (this.#isBusy) return;
    this.#isBusy = true;
    // What is said in one breath goes together.
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    while (this.#waiting.size > 0) {
      const writers = [...this.#waiting].slice(0, MOST_SESSIONS);
      for (const writer of writers) this.#waiting.delete(writer);
      const begun = writers.filter((writer) => writer.begin());
      await this.#writeAll(new Map(begun.map((writer) => [writer.sid, writer])));
      for (const writer of writers) if (writer.hasMore) this.#waiting.add(writer);
    }
    this.#isBusy = false;
  }

  async #writeAll(open: OpenWriters): Promise<void> {
    try {
      await this.#write(open);
    } catch (error) {
      for (const writer of open.values()) writer.fence(error);
    }
  }

  /** Until every batch is written or its session lost; `open` gets smaller on the way. */
  async #write(open: OpenWriters): Promise<void> {
    for (let isResend = false; open.size > 0; isResend = true) {
      const written = await this.#send([...open.values()].map((writer) => writer.batch));
      for (const sid of written ?? []) this.#done(open, sid);
      // Nobody knows; or a first try whose answer was lost was carried out while this one waited.
      if (written === undefined || isResend) await this.#look(open);
      else this.#refuseAll(open);
    }
  }

  /** The sessions that were written; undefined when nobody knows. */
  async #send(batches: readonly Batch[]): Promise<readonly number[] | undefined> {
    const { link, lease } = this.#parts;
    if (!lease.isAlive()) throw lease.lossError();
    const { text, values } = this.#statements.write(batches, lease.id);
    try {
      const rows = await link.query(text, values);
      return rows.map(({ sid }) => Number(sid));
    } catch (error) {
      if (error instanceof AnswerLostError) return undefined;
      throw error;
    }
  }

  /** Compares the heads with what was sent: written, to be sent again, or somebody else's. */
  async #look(open: OpenWriters): Promise<void> {
    if (open.size === 0) return;
    const heads = await this.#heads([...open.keys()]);
    for (const [sid, writer] of open) {
      const head = heads.get(sid);
      const { fence, expected, lines } = writer.batch;
      const isOurs = head?.isOurs === true && head.fence === fence;
      if (isOurs && head.last === expected + lines.length) this.#done(open, sid);
      else if (!isOurs || head.last !== expected) this.#refuse(open, writer);
    }
  }

  /** Asks until there is an answer, or the lease is over. */
  async #heads(sids: readonly number[]): Promise<ReadonlyMap<number, Head>> {
    const { link, tables, lease } = this.#parts;
    const text = `SELECT sid, fence, last_seq, owner = $2::uuid AS is_ours FROM ${tables.session} WHERE sid = ANY($1::bigint[])`;
    for (;;) {
      if (!lease.isAlive()) throw lease.lossError();
      await delay(LOOK_AGAIN_MS);
      try {
        const rows = await link.query(text, [sids, lease.id]);
        return new Map(rows.map((row) => [Number(row.sid), headOf(row)]));
      } catch (error) {
        if (!(error instanceof AnswerLostError)) throw error;
      }
    }
  }

  #done(open: OpenWriters, sid: number): void {
    const writer = open.get(sid);
    if (!writer) return;
    open.delete(sid);
    this.#parts.onWritten(sid, writer.done());
  }

  #refuse(open: OpenWriters, writer: SessionWriter): void {
    open.delete(writer.sid);
    writer.fence();
  }

  #refuseAll(open: OpenWriters): void {
    for (const writer of [...open.values()]) this.#refuse(open, writer);
  }
}

function headOf({ fence, last_seq, is_ours }: Row): Head {
  return { fence: Number(fence), last: Number(last_seq), isOurs: is_ours === true };
}
