import { randomUUID } from 'node:crypto';
import type { SessionEvent } from '../protocol.ts';

/** An event without what the journal adds. */
export type NewEvent = SessionEvent extends infer Event
  ? Event extends SessionEvent
    ? Omit<Event, 'seq' | 'session_id'>
    : never
  : never;

export interface JournalEntry {
  readonly seq: number;
  readonly type: SessionEvent['type'];
  /** Of a `result`: the prompt it belongs to. */
  readonly messageId: string | undefined;
  /** The event as JSON, encoded once for all clients. */
  readonly bytes: Buffer;
  /** Bytes of all entries up to and including this one. */
  readonly offset: number;
}

export interface JournalLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

const JOURNAL_LIMITS: JournalLimits = { maxEntries: 20_000, maxBytes: 16 * 1024 * 1024 };

/** The last events of one session, numbered from 1. Followers read it at their own pace; what is too old is forgotten. */
export class EventJournal {
  /** Differs in every life of the server, so that a number of an earlier life is not taken for one of this. */
  readonly epoch = randomUUID();
  readonly #sessionId: string;
  readonly #limits: JournalLimits;
  readonly #listeners = new Set<() => void>();
  #entries: JournalEntry[] = [];
  /** Entries before this index are forgotten; the array is cut now and then, not with every event. */
  #head = 0;
  #last = 0;
  #offset = 0;

  constructor(sessionId: string, limits: JournalLimits = JOURNAL_LIMITS) {
    this.#sessionId = sessionId;
    this.#limits = limits;
  }

  /** The number of the latest event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest event still known. */
  get oldest(): number {
    return this.#entries[this.#head]?.seq ?? this.#last + 1;
  }

  append(event: NewEvent): JournalEntry {
    const seq = this.#last + 1;
    const { type, ...facts } = event;
    const text = JSON.stringify({ type, session_id: this.#sessionId, seq, ...facts });
    const bytes = Buffer.from(text);
    this.#offset += bytes.length;
    const messageId = event.type === 'result' ? event.message_id : undefined;
    const entry = { seq, type, messageId, bytes, offset: this.#offset };
    this.#entries.push(entry);
    this.#last = seq;
    this.#forget();
    for (const listener of [...this.#listeners]) listener();
    return entry;
  }

  at(seq: number): JournalEntry | undefined {
    return seq < this.oldest ? undefined : this.#entries[this.#head + seq - this.oldest];
  }

  /** Whether everything after `seq` is still here. */
  covers(seq: number): boolean {
    return seq <= this.#last && seq >= this.oldest - 1;
  }

  /** How much a reader that has read up to `seq` has still to read. */
  bytesAfter(seq: number): number {
    const next = this.at(seq + 1);
    return next ? this.#offset - next.offset + next.bytes.length : 0;
  }

  /** Calls `listener` after every event until the returned function is called. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #forget(): void {
    const { maxEntries, maxBytes } = this.#limits;
    while (this.#entries.length - this.#head > 1 && this.#isOver(maxEntries, maxBytes)) {
      this.#head += 1;
    }
    if (this.#head > maxEntries) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }

  #isOver(maxEntries: number, maxBytes: number): boolean {
    if (this.#entries.length - this.#head > maxEntries) return true;
    const oldest = this.#entries[this.#head];
    return oldest !== undefined && this.#offset - oldest.offset + oldest.bytes.length > maxBytes;
  }
}
