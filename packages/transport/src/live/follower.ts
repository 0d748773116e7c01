import type { EventJournal, JournalEntry } from './event-journal.ts';
import { formatPosition } from './event-position.ts';

/** Receives a follower's events. */
export interface FollowerSink {
  /** False when the client's buffer is full; `resume` is called when it drains. */
  write(entry: JournalEntry): boolean;
  /** The client is too far behind. */
  drop(reason: string): void;
}

/** Bytes of events that may be pending for one client. */
const MAX_LAG_BYTES = 4 * 1024 * 1024;

/** One client's cursor in a journal: delivers every event once, in order, as fast as the client reads. */
export class Follower {
  readonly #journal: EventJournal;
  readonly #sink: FollowerSink;
  readonly #maxLagBytes: number;
  readonly #stopListening: () => void;
  #index: number;
  #position = '0';
  #hasRoom = true;
  #isStopped = false;

  constructor(
    journal: EventJournal,
    sink: FollowerSink,
    { after, maxLagBytes = MAX_LAG_BYTES }: { after: number; maxLagBytes?: number | undefined },
  ) {
    this.#journal = journal;
    this.#sink = sink;
    this.#index = after;
    this.#maxLagBytes = maxLagBytes;
    this.#stopListening = journal.onAppend(() => this.#pump());
  }

  /** The client's buffer has drained. */
  resume(): void {
    this.#hasRoom = true;
    this.#pump();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
  }

  #pump(): void {
    while (this.#hasRoom && !this.#isStopped && this.#index < this.#journal.last) {
      const entry = this.#journal.at(this.#index + 1);
      if (!entry) break;
      this.#index = entry.index;
      this.#position = formatPosition(entry);
      this.#hasRoom = this.#sink.write(entry);
    }
    if (!this.#isStopped && this.#isTooFarBehind()) this.#drop();
  }

  /** A client is dropped only when its buffer is full and too much is pending, or when events it needs are gone. */
  #isTooFarBehind(): boolean {
    if (!this.#journal.covers(this.#index)) return true;
    return !this.#hasRoom && this.#journal.bytesAfter(this.#index) > this.#maxLagBytes;
  }

  #drop(): void {
    this.stop();
    this.#sink.drop(
      `Too slow: more than ${this.#maxLagBytes} bytes waited. Resume after ${this.#position}.`,
    );
  }
}
