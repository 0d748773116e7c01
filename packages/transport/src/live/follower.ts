import type { EventJournal, JournalEntry } from './event-journal.ts';
import { formatPosition } from './event-position.ts';

/** Where a follower's events go. */
export interface FollowerSink {
  /** False when the client takes nothing more for now; `resume` is called when it does again. */
  write(entry: JournalEntry): boolean;
  /** The client is too far behind to be waited for. */
  drop(reason: string): void;
}

/** Bytes of events that may wait for one client. */
const MAX_LAG_BYTES = 4 * 1024 * 1024;

/** One client's place in a journal: hands on every event once, in order, as fast as the client takes them. */
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

  /** The client takes events again. */
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

  /** A client that reads is never too slow: it is dropped for waiting bytes it does not take, or for events gone. */
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
