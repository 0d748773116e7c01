import { randomBytes } from 'node:crypto';

/** How often a listener announces itself, in milliseconds. */
const ANNOUNCE_MS = 10_000;
/** How long an announcement is believed. */
const BELIEVED_MS = 3 * ANNOUNCE_MS;
/** How long replies to a greeting may take. */
const REPLY_MS = 1_000;

export interface OtherListenersParts {
  /** Sends a word to all listeners, including this one. */
  readonly say: (word: string) => void;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

/**
 * Whether anyone else listens to the archive's notifications. Listeners greet each other when they connect (`h`), reply
 * and announce themselves from time to time (`p`), and say when they leave (`g`). Mistakes only cost time, because
 * listeners also poll; so whoever is not sure that it is alone assumes that others listen.
 */
export class OtherListeners {
  /** Names this listener in what it says. */
  readonly id = randomBytes(6).readUIntBE(0, 6);
  readonly #say: (word: string) => void;
  readonly #now: () => number;
  /** When each of the others was last heard. */
  readonly #others = new Map<number, number>();
  /** When this listener last heard itself: until then, and long after, it may be cut off. */
  #heardItselfAt = Number.NEGATIVE_INFINITY;
  /** When the greeting sent on the last connection came back. */
  #greetedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ say, now }: OtherListenersParts) {
    this.#say = say;
    this.#now = now;
  }

  /** This listener hears what is said from now on; it may have missed something. */
  connected(): void {
    this.#greetedAt = undefined;
    this.#timer ??= setInterval(() => this.#say(`p${this.id}`), ANNOUNCE_MS).unref();
    this.#say(`h${this.id}`);
  }

  /** False for a word that does not concern listeners. */
  hear(letter: string, id: number): boolean {
    if (!'hpg'.includes(letter)) return false;
    if (id === this.id) this.#hearItself(letter);
    else if (letter === 'g') this.#others.delete(id);
    else this.#others.set(id, this.#now());
    if (letter === 'h' && id !== this.id) this.#say(`p${this.id}`);
    return true;
  }

  mayBeThere(): boolean {
    const now = this.#now();
    for (const [id, heardAt] of this.#others) {
      if (now - heardAt > BELIEVED_MS) this.#others.delete(id);
    }
    const isConnected = now - this.#heardItselfAt <= BELIEVED_MS;
    const hadReplies = this.#greetedAt !== undefined && now - this.#greetedAt >= REPLY_MS;
    return this.#others.size > 0 || !isConnected || !hadReplies;
  }

  leave(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#say(`g${this.id}`);
  }

  #hearItself(letter: string): void {
    this.#heardItselfAt = this.#now();
    if (letter === 'h') this.#greetedAt ??= this.#now();
  }
}
