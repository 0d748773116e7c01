import type { SessionEvent } from '../protocol.ts';
import { comparePositions, type EventPosition } from './event-position.ts';

/** An event without what the journal adds. */
export type NewEvent = SessionEvent extends infer Event
  ? Event extends SessionEvent
    ? Omit<Event, 'seq' | 'part' | 'session_id'>
    : never
  : never;

export interface JournalEntry extends EventPosition {
  /** Index in this journal, starting at 1. */
  readonly index: number;
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

/** A client further behind gets a snapshot; the limits bound the memory of a server with many busy sessions. */
const JOURNAL_LIMITS: JournalLimits = { maxEntries: 20_000, maxBytes: 4 * 1024 * 1024 };

export interface JournalParts {
  readonly sessionId: string;
  /** Number of the session's last log entry; all events of one entry share it. */
  readonly number: () => number;
  readonly limits?: JournalLimits | undefined;
  /** Position to continue from; the session's own by default. */
  readonly start?: EventPosition | undefined;
}

type AppendListener = (event: NewEvent, entry: JournalEntry) => void;

/** The last events of one session. Followers read it at their own pace; old events are dropped. */
export class EventJournal {
  readonly #parts: JournalParts;
  readonly #limits: JournalLimits;
  readonly #listeners = new Set<AppendListener>();
  #entries: JournalEntry[] = [];
  /** Entries before this index are dropped; the array is cut occasionally, not on every event. */
  #head = 0;
  #last = 0;
  #offset = 0;
  /** Position just before the oldest event. */
  #floor: EventPosition;
  #position: EventPosition;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? JOURNAL_LIMITS;
    this.#floor = parts.start ?? { seq: parts.number(), part: 0 };
    this.#position = this.#floor;
  }

  /** Index of the latest event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Index of the oldest event still held. */
  get oldest(): number {
    return this.#entries[this.#head]?.index ?? this.#last + 1;
  }

  /** Position of the latest event, or the start. */
  get position(): EventPosition {
    return this.#position;
  }

  /** Position of the oldest event still held. */
  get oldestPosition(): EventPosition {
    return this.#entries[this.#head] ?? this.#position;
  }

  append(event: NewEvent): JournalEntry {
    return this.appendAt(event, this.#next());
  }

  /** For a journal that mirrors another one at the same positions. */
  appendAt(event: NewEvent, { seq, part }: EventPosition): JournalEntry {
    const { type, ...facts } = event;
    const { sessionId } = this.#parts;
    const text = JSON.stringify({ type, session_id: sessionId, seq, part, ...facts });
    const bytes = Buffer.from(text);
    this.#offset += bytes.length;
    const messageId = event.type === 'result' ? event.message_id : undefined;
    const index = this.#last + 1;
    const entry = { index, seq, part, type, messageId, bytes, offset: this.#offset };
    this.#entries.push(entry);
    this.#last = index;
    this.#position = { seq, part };
    this.#dropOld();
    for (const listener of [...this.#listeners]) listener(event, entry);
    return entry;
  }

  at(index: number): JournalEntry | undefined {
    return index < this.oldest ? undefined : this.#entries[this.#head + index - this.oldest];
  }

  /** Whether everything after `index` is still held. */
  covers(index: number): boolean {
    return index <= this.#last && index >= this.oldest - 1;
  }

  /** Index of the last event at or before `position`; undefined when the journal does not cover it. */
  indexOf(position: EventPosition): number | undefined {
    const isEntryOnly = position.part === Number.POSITIVE_INFINITY;
    const isAhead = isEntryOnly
      ? position.seq > this.#position.seq
      : comparePositions(position, this.#position) > 0;
    if (isAhead || comparePositions(position, this.#floor) < 0) return undefined;
    let low = this.oldest - 1;
    let high = this.#last;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const entry = this.at(middle);
      if (entry && comparePositions(entry, position) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Bytes of the events after `index`. */
  bytesAfter(index: number): number {
    const next = this.at(index + 1);
    return next ? this.#offset - next.offset + next.bytes.length : 0;
  }

  /** Calls `listener` after every event until the returned function is called. */
  onAppend(listener: AppendListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #next(): EventPosition {
    const { seq, part } = this.#position;
    const number = this.#parts.number();
    return number > seq ? { seq: number, part: 0 } : { seq, part: part + 1 };
  }

  #dropOld(): void {
    const { maxEntries, maxBytes } = this.#limits;
    while (this.#entries.length - this.#head > 1 && this.#isOver(maxEntries, maxBytes)) {
      this.#floor = this.oldestPosition;
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
