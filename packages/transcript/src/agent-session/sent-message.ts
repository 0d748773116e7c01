import { AsyncQueue } from '../process/async-queue.ts';
import type { StreamEvent } from '../stream-events.ts';

type Work = (signal: AbortSignal, emit: (event: StreamEvent) => void) => Promise<void>;

/** The events of one turn, for a single reader. */
export class SentMessage implements AsyncIterable<StreamEvent> {
  /** Resolves when the turn is over, however it ended. Never rejects; the reader gets the error. */
  readonly ended: Promise<void>;
  readonly #events = new AsyncQueue<StreamEvent>();
  readonly #abort = new AbortController();

  constructor(work: Work) {
    this.ended = this.#run(work);
  }

  abort(): void {
    this.#abort.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent> {
    try {
      yield* this.#events;
    } finally {
      this.abort();
      await this.ended;
    }
  }

  async #run(work: Work): Promise<void> {
    try {
      await work(this.#abort.signal, (event) => this.#events.push(event));
      this.#events.end();
    } catch (error) {
      this.#events.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
