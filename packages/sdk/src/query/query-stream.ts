import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type { SessionNotice } from '../interactive/events.ts';
import type { QueryResult } from './query-result.ts';
import type { Question } from './question.ts';

/** What happens while a question is answered. */
export type QueryEvent =
  | StreamEvent
  | ({ readonly type: 'notice' } & SessionNotice)
  /** The last one. */
  | { readonly type: 'result'; readonly result: QueryResult };

/**
 * The events of one question. It begins when it is made, whether or not anybody listens; whoever leaves the loop
 * early calls it off. A failure is thrown by the loop and by `result`.
 */
export class QueryStream implements AsyncIterableIterator<QueryEvent> {
  readonly sessionId: string;
  /** What the last event holds, for those who do not read the others. */
  readonly result: Promise<QueryResult>;
  readonly #question: Question;
  readonly #told: QueryEvent[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;

  constructor(open: () => Question) {
    this.#question = open();
    const { session } = this.#question;
    this.sessionId = session.sessionId;
    session.on('stream_event', (event) => this.#tell(event));
    session.on('notice', (notice) => this.#tell({ type: 'notice', ...notice }));
    this.result = this.#run();
    // Whoever reads the events is told of a failure there.
    this.result.catch(() => undefined);
  }

  /** Calls the question off; the result is what had arrived. */
  abort(): void {
    this.#question.session.abort();
  }

  async next(): Promise<IteratorResult<QueryEvent, undefined>> {
    while (this.#told.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#told.shift();
    if (value !== undefined) return { done: false, value };
    await this.result;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<QueryEvent, undefined>> {
    this.abort();
    await this.result.catch(() => undefined);
    this.#told.length = 0;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #run(): Promise<QueryResult> {
    try {
      const result = await this.#question.ask();
      this.#tell({ type: 'result', result });
      return result;
    } finally {
      await this.#question.close();
      this.#isOver = true;
      this.#wake();
    }
  }

  #tell(event: QueryEvent): void {
    this.#told.push(event);
    this.#wake();
  }
}
