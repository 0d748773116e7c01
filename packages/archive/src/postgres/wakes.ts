import type { Link } from './link.ts';

/**
 * `lines`: a log grew; `inbox`: an item or an answer came or went; `claim`: the session has another holder; `agents`: a
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
/** Wakes of so many milliseconds go together. */
const TOGETHER_MS = 5;
/** The server refuses notifications of 8,000 bytes. */
const MOST_BYTES = 7_900;

/**
 * Tells other nodes that there is something to read: after the commit, because a notification inside of it holds a
 * lock of the whole database. A wake that is lost is made up for by looking once a second.
 */
export class Wakes {
  readonly #link: Link;
  readonly #channel: string;
  readonly #listeners = new Set<(wake: Wake) => void>();
  #pending = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(link: Link, channel: string) {
    this.#link = link;
    this.#channel = channel;
  }

  tell(kind: WakeKind, sid: number): void {
    this.#pending.add(`${LETTERS[kind]}${sid}`);
    this.#timer ??= setTimeout(() => void this.#send(), TOGETHER_MS);
  }

  on(listener: (wake: Wake) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hear(payload: string): void {
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
    this.#timer = undefined;
    const words = [...this.#pending];
    this.#pending = new Set();
    for (const payload of packed(words)) {
      try {
        await this.#link.query('SELECT pg_notify($1, $2)', [this.#channel, payload]);
      } catch {
        // Whoever waits for it looks by itself once a second.
        return;
      }
    }
  }
}

function packed(words: readonly string[]): string[] {
  const payloads: string[] = [];
  for (const word of words) {
    const last = payloads.at(-1);
    if (last === undefined || last.length + word.length >= MOST_BYTES) payloads.push(word);
    else payloads[payloads.length - 1] = `${last} ${word}`;
  }
  return payloads;
}
