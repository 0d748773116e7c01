import type { ArchivedLine, Following, FollowParts } from '../nodes/shared-archive.ts';
import { type Link, ResponseLostError } from './link.ts';
import type { SavedLogs } from './saved-log.ts';
import type { Tables } from './tables.ts';
import type { WakeKind, Wakes } from './wakes.ts';

/** Milliseconds between two polls, which find what a lost notification would have reported. */
const POLL_MS = 1_000;
const PAGE_LINES = 1_000;

export interface TailsParts {
  readonly link: Link;
  readonly tables: Tables;
  readonly logs: SavedLogs;
  readonly wakes: Wakes;
}

/** All followers of sessions on this node: notified by other nodes, and polling once a second in any case. */
export class Tails {
  readonly #parts: TailsParts;
  readonly #tails = new Map<string, Tail>();
  readonly #off: () => void;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();

  constructor(parts: TailsParts) {
    this.#parts = parts;
    this.#off = parts.wakes.on(({ kind, sid }) => {
      for (const tail of this.#tails.values()) {
        if (tail.sid !== sid) continue;
        tail.wake(kind);
        // Also sent when the session was deleted.
        if (kind === 'claim') this.#poll();
      }
    });
  }

  follow(given: FollowParts): Following {
    const tail = this.#tailOf(given.id);
    const follower: Follower = { parts: given, place: given.after };
    // Registered before reading, so that no line is missed.
    tail.add(follower);
    return {
      refresh: () => tail.refresh(),
      stop: async () => {
        tail.remove(follower);
        if (!tail.isFollowed) this.#remove(tail);
        await tail.settled();
      },
    };
  }

  /** Notifications may have been missed. */
  wakeAll(): void {
    for (const tail of this.#tails.values()) {
      tail.wake('lines');
      tail.wake('inbox');
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#off();
    await this.#polling;
    await Promise.all([...this.#tails.values()].map((tail) => tail.stop()));
    this.#tails.clear();
  }

  /** Followers of one session share a tail. */
  #tailOf(id: string): Tail {
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS).unref();
    const known = this.#tails.get(id);
    if (known) return known;
    const tail = new Tail(id, {
      logs: this.#parts.logs,
      find: () => this.#find(id),
      onRemoved: () => this.#remove(tail),
    });
    this.#tails.set(id, tail);
    return tail;
  }

  async #find(id: string): Promise<number | undefined> {
    const { link, tables } = this.#parts;
    const [row] = await link.query(`SELECT sid FROM ${tables.session} WHERE id = $1`, [id]);
    return row && Number(row.sid);
  }

  /** Checks identity, because a new session may have the same id. */
  #remove(tail: Tail): void {
    if (this.#tails.get(tail.id) === tail) this.#tails.delete(tail.id);
  }

  #poll(): void {
    this.#polling = this.#readHeads();
  }

  /** One statement for all followed sessions. */
  async #readHeads(): Promise<void> {
    const all = [...this.#tails.values()];
    for (const tail of all) if (tail.sid === undefined) tail.wake('lines');
    const known = all.flatMap((tail) => (tail.sid === undefined ? [] : [{ tail, sid: tail.sid }]));
    const sids = known.map(({ sid }) => sid);
    if (sids.length === 0) return;
    const { link, tables } = this.#parts;
    try {
      const rows = await link.query(
        `SELECT s.sid, s.last_seq, (SELECT count(*) || '/' || max(place) FROM ${tables.inbox} i
            WHERE i.sid = s.sid AND i.taken_seq IS NULL) || '/' || (SELECT count(*) FROM ${tables.inbox} i
            WHERE i.sid = s.sid AND i.taken_seq IS NOT NULL AND i.status IS NULL) AS inbox
          FROM ${tables.session} s WHERE s.sid = ANY($1::bigint[])`,
        [sids],
      );
      const heads = new Map(rows.map((row) => [Number(row.sid), row]));
      for (const { tail, sid } of known) {
        const head = heads.get(sid);
        if (head === undefined) {
          tail.sessionRemoved();
          continue;
        }
        if (Number(head.last_seq) > tail.place) tail.wake('lines');
        tail.updateInbox(String(head.inbox));
      }
    } catch {
      // The next poll finds it.
    }
  }
}

interface Follower {
  readonly parts: FollowParts;
  /** The last line delivered to it. */
  place: number;
}

interface TailParts {
  readonly logs: SavedLogs;
  /** The session's number; undefined if there is none. */
  readonly find: () => Promise<number | undefined>;
  readonly onRemoved: () => void;
}

/** A followed session: each line is read once and delivered once to every follower, in order. */
class Tail {
  readonly id: string;
  readonly #parts: TailParts;
  readonly #followers = new Set<Follower>();
  #sid: number | undefined;
  #inbox = '';
  #isDirty = false;
  #reading: Promise<void> | undefined;

  constructor(id: string, parts: TailParts) {
    this.id = id;
    this.#parts = parts;
  }

  get sid(): number | undefined {
    return this.#sid;
  }

  /** The last line delivered to every follower. */
  get place(): number {
    return Math.min(...[...this.#followers].map(({ place }) => place));
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  add(follower: Follower): void {
    this.#followers.add(follower);
    this.wake('lines');
  }

  remove(follower: Follower): void {
    this.#followers.delete(follower);
  }

  wake(kind: WakeKind): void {
    if (kind === 'inbox') for (const { parts } of [...this.#followers]) parts.onInbox();
    if (kind !== 'lines' || !this.isFollowed) return;
    this.#isDirty = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
  }

  /** Detects a lost notification by a change of the inbox's summary. */
  updateInbox(summary: string): void {
    const isChanged = summary !== this.#inbox;
    this.#inbox = summary;
    if (isChanged) this.wake('inbox');
  }

  sessionRemoved(): void {
    this.#parts.onRemoved();
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const { parts } of followers) parts.onRemoved?.();
  }

  async refresh(): Promise<void> {
    // A read in progress may have started before the last lines were written.
    this.wake('lines');
    await this.#reading;
  }

  settled(): Promise<void> {
    return this.#reading ?? Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#followers.clear();
    await this.settled();
  }

  async #read(): Promise<void> {
    try {
      this.#sid ??= await this.#parts.find();
      // Deleted between opening and following it.
      if (this.#sid === undefined) this.sessionRemoved();
      while (this.#isDirty && this.isFollowed) {
        this.#isDirty = false;
        await this.#readToEnd();
      }
    } catch (error) {
      // The next poll reads it.
      if (error instanceof ResponseLostError) return;
      for (const { parts } of [...this.#followers]) parts.onError(error as Error);
    }
  }

  async #readToEnd(): Promise<void> {
    while (this.isFollowed) {
      const lines = await this.#parts.logs.lines(this.id, this.place, PAGE_LINES);
      for (const follower of [...this.#followers]) deliver(follower, lines);
      if (lines.length < PAGE_LINES) return;
    }
  }
}

/** A follower may be ahead of the others, or have joined behind the lines being read. */
function deliver(follower: Follower, lines: readonly ArchivedLine[]): void {
  const [first] = lines;
  if (first === undefined || first.place > follower.place + 1) return;
  const fresh = lines.filter(({ place }) => place > follower.place);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.place = last.place;
  follower.parts.onLines(fresh);
}
