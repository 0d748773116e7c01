import type { Statement } from './append-statement.ts';
import type { Link } from './link.ts';
import { OtherListeners } from './other-listeners.ts';

/**
 * `lines`: a log grew; `inbox`: an item or an answer was added or removed; `claim`: the session's owner changed; `agents`: a
 * session of another agent's program changed; `catalogue`: something new can be listed.
 */
export type WakeKind = 'lines' | 'inbox' | 'claim' | 'agents' | 'catalogue';

export interface Wake {
  readonly kind: WakeKind;
  readonly sid: number;
}

const LETTERS: Readonly<Record<WakeKind, string>> = {
  lines: 'e',
  inbox: 'i',
  claim: 'c',
  agents: 'a',
  catalogue: 'k',
};
const KINDS: Readonly<Record<string, WakeKind>> = {
  e: 'lines',
  i: 'inbox',
  c: 'claim',
  a: 'agents',
  k: 'catalogue',
};
/** Milliseconds of one notification in the long run; wakes that come faster are batched. */
const BATCH_MS = 5;
/** Notifications that may go out at once after a pause: the lines of a usual turn reach followers without waiting. */
const BURST = 100;
/** The server refuses notifications of 8,000 bytes. */
const MAX_BYTES = 7_900;

/** Starts the word that names the sender of a notification. */
const SENDER = 'f';
/** A notification may be lost, so it need not wait for the disk. */
const NOTIFY = `SELECT pg_notify($1, $2) FROM set_config('synchronous_commit', 'off', true)`;

/**
 * Notifies this node and others that there is something to read: after the commit, because NOTIFY inside a transaction
 * holds a database-wide lock while it commits. A lost notification is made up for by polling once a second.
 */
export class Wakes {
  readonly #link: Link;
  readonly #channel: string;
  readonly #listeners = new Set<(wake: Wake) => void>();
  readonly #now: () => number;
  readonly #others: OtherListeners;
  /** Words to be delivered here, and whether other nodes were notified already. */
  #fresh = new Map<string, boolean>();
  #untold = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** When the next notification would be due had all before it been `BATCH_MS` apart. */
  #dueAt = Number.NEGATIVE_INFINITY;

  /** `now` is the monotonic clock in milliseconds. */
  constructor(link: Link, channel: string, now = () => performance.now()) {
    this.#link = link;
    this.#channel = channel;
    this.#now = now;
    this.#others = new OtherListeners({ say: (word) => this.#add(word, false), now });
  }

  notify(kind: WakeKind, sid: number): void {
    this.#add(`${LETTERS[kind]}${sid}`, false);
  }

  /**
   * The notification of lines that are about to be written, for the connection that writes them: sent right behind them it
   * is there first. Undefined when nobody listens or too many were sent of late.
   */
  besideAppend(sids: readonly number[]): Statement | undefined {
    if (this.#pause() > 0 || !this.#others.mayBeThere()) return undefined;
    const [payload, ...rest] = this.#packed(sids.map((sid) => `${LETTERS.lines}${sid}`));
    if (payload === undefined || rest.length > 0) return undefined;
    this.#spend();
    return { text: NOTIFY, values: [this.#channel, payload] };
  }

  /** Lines were written; `isTold` if other nodes were notified by the statement `besideAppend`. */
  written(sid: number, isTold: boolean): void {
    this.#add(`${LETTERS.lines}${sid}`, isTold);
  }

  on(listener: (wake: Wake) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifications are received from now on. */
  connected(): void {
    this.#others.connected();
  }

  receive(payload: string): void {
    const [sender, ...words] = payload.split(' ');
    // Its own wakes were delivered here already.
    const isOwn = sender === this.#sender();
    for (const word of words) {
      const isPresence = this.#others.hear(word.charAt(0), Number(word.slice(1)));
      if (!isOwn && !isPresence) this.#deliver(word);
    }
  }

  async close(): Promise<void> {
    this.#others.leave();
    this.#deliverFresh();
    clearTimeout(this.#timer);
    await this.#send();
  }

  #add(word: string, isTold: boolean): void {
    // Deferred, because one commit notifies of many sessions, and the next append is sent first.
    if (this.#fresh.size === 0) setImmediate(() => this.#flush());
    this.#fresh.set(word, isTold);
  }

  #flush(): void {
    this.#deliverFresh();
    if (this.#untold.size === 0 || this.#timer !== undefined) return;
    const pause = this.#pause();
    if (pause <= 0) void this.#send();
    else this.#timer = setTimeout(() => void this.#send(), pause);
  }

  #deliverFresh(): void {
    const fresh = [...this.#fresh];
    this.#fresh.clear();
    const areLinesRead = this.#others.mayBeThere();
    for (const [word, isTold] of fresh) {
      this.#deliver(word);
      if (!isTold && (areLinesRead || !word.startsWith(LETTERS.lines))) this.#untold.add(word);
    }
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    const payloads = this.#packed([...this.#untold]);
    this.#untold.clear();
    for (const payload of payloads) {
      this.#spend();
      try {
        await this.#link.query(NOTIFY, [this.#channel, payload]);
      } catch {
        // Listeners poll once a second in any case.
        return;
      }
    }
  }

  /** Milliseconds until the next notification may be sent. */
  #pause(): number {
    return this.#dueAt - (BURST - 1) * BATCH_MS - this.#now();
  }

  #spend(): void {
    this.#dueAt = Math.max(this.#dueAt, this.#now()) + BATCH_MS;
  }

  #deliver(word: string): void {
    const kind = KINDS[word.charAt(0)];
    const sid = Number(word.slice(1));
    if (kind === undefined || !Number.isInteger(sid)) return;
    for (const listener of [...this.#listeners]) listener({ kind, sid });
  }

  #sender(): string {
    return `${SENDER}${this.#others.id}`;
  }

  /** As few notifications as can hold the words, each with the sender first. */
  #packed(words: readonly string[]): string[] {
    const payloads: string[] = [];
    for (const word of words) {
      const last = payloads.at(-1);
      if (last === undefined || last.length + word.length >= MAX_BYTES) {
        payloads.push(`${this.#sender()} ${word}`);
      } else payloads[payloads.length - 1] = `${last} ${word}`;
    }
    return payloads;
  }
}
