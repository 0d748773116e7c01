import type { Link } from './link.ts';

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

/**
 * Notifies other nodes that there is something to read: after the commit, because NOTIFY inside a transaction holds a
 * database-wide lock while it commits. A lost notification is made up for by polling once a second.
 */
export class Wakes {
  readonly #link: Link;
  readonly #channel: string;
  readonly #listeners = new Set<(wake: Wake) => void>();
  #pending = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  /** When the next notification would be due had all before it been `BATCH_MS` apart. */
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(link: Link, channel: string) {
    this.#link = link;
    this.#channel = channel;
  }

  notify(kind: WakeKind, sid: number): void {
    this.#pending.add(`${LETTERS[kind]}${sid}`);
    if (this.#isDue) return;
    this.#isDue = true;
    const pause = this.#dueAt - (BURST - 1) * BATCH_MS - performance.now();
    // Deferred, because one commit notifies of many sessions, and the next append is sent first.
    if (pause <= 0) setImmediate(() => void this.#send());
    else this.#timer = setTimeout(() => void this.#send(), pause);
  }

  on(listener: (wake: Wake) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  receive(payload: string): void {
    for (const word of payload.split(' ')) {
      const kind = KINDS[word.charAt(0)];
      const sid = Number(word.slice(1));
      if (kind === undefined || !Number.isInteger(sid)) continue;
      for (const listener of [...this.#listeners]) listener({ kind, sid });
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#send();
  }

  async #send(): Promise<void> {
    this.#isDue = false;
    this.#dueAt = Math.max(this.#dueAt, performance.now()) + BATCH_MS;
    const words = [...this.#pending];
    this.#pending = new Set();
    for (const payload of packed(words)) {
      try {
        await this.#link.query('SELECT pg_notify($1, $2)', [this.#channel, payload]);
      } catch {
        // Listeners poll once a second in any case.
        return;
      }
    }
  }
}

function packed(words: readonly string[]): string[] {
  const payloads: string[] = [];
  for (const word of words) {
    const last = payloads.at(-1);
    if (last === undefined || last.length + word.length >= MAX_BYTES) payloads.push(word);
    else payloads[payloads.length - 1] = `${last} ${word}`;
  }
  return payloads;
}
