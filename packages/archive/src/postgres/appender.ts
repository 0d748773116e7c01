import { setTimeout as delay } from 'node:timers/promises';
import { AppendStatements, type Batch, type Statement } from './append-statement.ts';
import { type Link, ResponseLostError, type Row } from './link.ts';
import type { NodeLease } from './node-lease.ts';
import type { SessionWriter } from './session-writer.ts';
import type { Tables } from './tables.ts';
import type { Wakes } from './wakes.ts';

export interface AppenderParts {
  readonly link: Link;
  readonly tables: Tables;
  readonly lease: NodeLease;
  readonly wakes: Wakes;
}

/** Milliseconds between two checks of whether a statement with a lost response was executed. */
const CHECK_AGAIN_MS = 50;
/** Sessions that share a statement. */
const MAX_SESSIONS = 256;

/** Writers whose batch is being written, by session. */
type OpenWriters = Map<number, SessionWriter>;

interface Head {
  readonly fence: number;
  readonly last: number;
  readonly isOurs: boolean;
}

/** Writes the lines of all sessions of a node: one statement at a time, batching what arrives meanwhile. */
export class Appender {
  readonly #parts: AppenderParts;
  readonly #statements: AppendStatements;
  readonly #pending = new Set<SessionWriter>();
  #isBusy = false;

  constructor(parts: AppenderParts) {
    this.#parts = parts;
    this.#statements = new AppendStatements(parts.tables);
  }

  /** The writer has lines to write. */
  wake(writer: SessionWriter): void {
    this.#pending.add(writer);
    if (this.#isBusy) return;
    this.#isBusy = true;
    // Deferred, because sessions that append together share a statement.
    queueMicrotask(() => void this.#work());
  }

  async #work(): Promise<void> {
    while (this.#pending.size > 0) {
      const writers = [...this.#pending].slice(0, MAX_SESSIONS);
      for (const writer of writers) this.#pending.delete(writer);
      const started = writers.filter((writer) => writer.begin());
      await this.#writeAll(new Map(started.map((writer) => [writer.sid, writer])));
      for (const writer of writers) if (writer.hasMore) this.#pending.add(writer);
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

  /** Retries until every batch is written or its session lost, removing each from `open`. */
  async #write(open: OpenWriters): Promise<void> {
    for (let isResend = false; open.size > 0; isResend = true) {
      const note = this.#parts.wakes.besideAppend([...open.keys()]);
      const written = await this.#send(
        [...open.values()].map((writer) => writer.batch),
        note,
      );
      for (const sid of written ?? []) this.#done(open, sid, note !== undefined);
      // The result is unknown, or a first attempt with a lost response was executed meanwhile.
      if (written === undefined || isResend) await this.#compareHeads(open);
      else this.#fenceAll(open);
    }
  }

  /** The sessions that were written; undefined when the response was lost. */
  async #send(
    batches: readonly Batch[],
    note: Statement | undefined,
  ): Promise<readonly number[] | undefined> {
    const { link, lease } = this.#parts;
    if (!lease.isAlive()) throw lease.lossError();
    const { text, values } = this.#statements.write(batches, lease.id);
    try {
      const written = link.query(text, values);
      // It wakes nobody in vain unless nothing was written, and may be lost.
      if (note) link.query(note.text, note.values).catch(() => undefined);
      const rows = await written;
      return rows.map(({ sid }) => Number(sid));
    } catch (error) {
      if (error instanceof ResponseLostError) return undefined;
      throw error;
    }
  }

  /** Compares the heads with what was sent: written, to be sent again, or owned by another node. */
  async #compareHeads(open: OpenWriters): Promise<void> {
    if (open.size === 0) return;
    const heads = await this.#heads([...open.keys()]);
    for (const [sid, writer] of open) {
      const head = heads.get(sid);
      const { fence, expected, lines } = writer.batch;
      const isOurs = head?.isOurs === true && head.fence === fence;
      if (isOurs && head.last === expected + lines.length) this.#done(open, sid, false);
      else if (!isOurs || head.last !== expected) this.#fence(open, writer);
    }
  }

  /** Retries until the database responds or the lease ends. */
  async #heads(sids: readonly number[]): Promise<ReadonlyMap<number, Head>> {
    const { link, tables, lease } = this.#parts;
    const text = `SELECT sid, fence, last_seq, owner = $2::uuid AS is_ours FROM ${tables.session} WHERE sid = ANY($1::bigint[])`;
    for (;;) {
      if (!lease.isAlive()) throw lease.lossError();
      await delay(CHECK_AGAIN_MS);
      try {
        const rows = await link.query(text, [sids, lease.id]);
        return new Map(rows.map((row) => [Number(row.sid), headOf(row)]));
      } catch (error) {
        if (!(error instanceof ResponseLostError)) throw error;
      }
    }
  }

  #done(open: OpenWriters, sid: number, isTold: boolean): void {
    const writer = open.get(sid);
    if (!writer) return;
    open.delete(sid);
    writer.done();
    this.#parts.wakes.written(sid, isTold);
  }

  #fence(open: OpenWriters, writer: SessionWriter): void {
    open.delete(writer.sid);
    writer.fence();
  }

  #fenceAll(open: OpenWriters): void {
    for (const writer of [...open.values()]) this.#fence(open, writer);
  }
}

function headOf({ fence, last_seq, is_ours }: Row): Head {
  return { fence: Number(fence), last: Number(last_seq), isOurs: is_ours === true };
}
