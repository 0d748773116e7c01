import type { ArchivedLine, Following, FollowParts } from '../nodes/shared-archive.ts';
import { AnswerLostError, type Link } from './link.ts';
import type { SavedLogs } from './saved-log.ts';
import type { Tables } from './tables.ts';
import type { WakeKind, Wakes } from './wakes.ts';

/** Milliseconds between two looks at what a lost wake would have told. */
const LOOK_MS = 1_000;
const PAGE_LINES = 1_000;

export interface TailsParts {
  readonly link: Link;
  readonly tables: Tables;
  readonly logs: SavedLogs;
  readonly wakes: Wakes;
}

/** Everybody on this node who follows a session: woken by other nodes, and looking once a second all the same. */
export class Tails {
  readonly #parts: TailsParts;
  readonly #tails = new Map<string, Tail>();
  readonly #off: () => void;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: TailsParts) {
    this.#parts = parts;
    this.#off = parts.wakes.on(({ kind, sid }) => {
      for (const tail of this.#tails.values()) if (tail.sid === sid) tail.wake(kind);
    });
  }

  follow(given: FollowParts): Following {
    const tail = this.#tailOf(given.id);
    const follower: Follower = { parts: given, place: given.after };
    // Registered first, then read: nothing falls in between.
    tail.add(follower);
    return {
      refresh: () => tail.refresh(),
      stop: async () => {
        tail.remove(follower);
        if (!tail.isFollowed) this.#tails.delete(given.id);
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
    await this.#looking;
    await Promise.all([...this.#tails.values()].map((tail) => tail.stop()));
    this.#tails.clear();
  }

  /** One for each session, however many follow it. */
  #tailOf(id: string): Tail {
    this.#timer ??= setInterval(() => {
      this.#looking = this.#look();
    }, LOOK_MS).unref();
    const known = this.#tails.get(id);
    if (known) return known;
    const tail = new Tail(id, this.#parts.logs, () => this.#find(id));
    this.#tails.set(id, tail);
    return tail;
  }

  async #find(id: string): Promise<number | undefined> {
    const { link, tables } = this.#parts;
    const [row] = await link.query(`SELECT sid FROM ${tables.session} WHERE id = $1`, [id]);
    return row && Number(row.sid);
  }

  /** One statement for all of them, however many follow. */
  async #look(): Promise<void> {
    const known = [...this.#tails.values()];
    for (const tail of known) if (tail.sid === undefined) tail.wake('lines');
    const sids = [...new Set(known.flatMap(({ sid }) => sid ?? []))];
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
      for (const tail of known) {
        const head = heads.get(tail.sid ?? 0);
        if (Number(head?.last_seq ?? 0) > tail.place) tail.wake('lines');
        tail.seeInbox(String(head?.inbox));
      }
    } catch {
      // The next look finds what this one did not.
    }
  }
}

interface Follower {
  readonly parts: FollowParts;
  /** The last line it was told. */
  place: number;
}

/** A session that is followed: each line is read once, and told once to every follower, in order. */
class Tail {
  readonly #id: string;
  readonly #logs: SavedLogs;
  readonly #find: () => Promise<number | undefined>;
  readonly #followers = new Set<Follower>();
  #sid: number | undefined;
  #inbox = '';
  #isDirty = false;
  #reading: Promise<void> | undefined;

  constructor(id: string, logs: SavedLogs, find: () => Promise<number | undefined>) {
    this.#id = id;
    this.#logs = logs;
    this.#find = find;
  }

  get sid(): number | undefined {
    return this.#sid;
  }

  /** The last line that every follower was told. */
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

  /** What the inbox looks like; a wake that was lost shows as a change. */
  seeInbox(look: string): void {
    const isChanged = look !== this.#inbox;
    this.#inbox = look;
    if (isChanged) this.wake('inbox');
  }

  async refresh(): Promise<void> {
    // A reading under way may have looked before the call.
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
      this.#sid ??= await this.#find();
      while (this.#isDirty && this.isFollowed) {
        this.#isDirty = false;
        await this.#readToEnd();
      }
    } catch (error) {
      // What cannot be read now is read at the next look.
      if (error instanceof AnswerLostError) return;
      for (const { parts } of [...this.#followers]) parts.onError(error as Error);
    }
  }

  async #readToEnd(): Promise<void> {
    while (this.isFollowed) {
      const lines = await this.#logs.lines(this.#id, this.place, PAGE_LINES);
      for (const follower of [...this.#followers]) tell(follower, lines);
      if (lines.length < PAGE_LINES) return;
    }
  }
}

/** Whoever joined late is ahead of the others; whoever joined while they were read is behind them. */
function tell(follower: Follower, lines: readonly ArchivedLine[]): void {
  const [first] = lines;
  if (first === undefined || first.place > follower.place + 1) return;
  const fresh = lines.filter(({ place }) => place > follower.place);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.place = last.place;
  follower.parts.onLines(fresh);
}
