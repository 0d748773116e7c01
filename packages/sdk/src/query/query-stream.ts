import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type { SessionNotice } from '../interactive/events.ts';
import type { QueryResult } from './query-result.ts';
import type { QueryRun } from './query-run.ts';

/** An event of a running query. */
export type QueryEvent =
  | StreamEvent
  | ({ readonly type: 'notice' } & SessionNotice)
  /** Always the last event. */
  | { readonly type: 'result'; readonly result: QueryResult };

/**
 * The events of one query. The query starts on construction, whether or not the stream is read; breaking out of the
 * loop cancels it. A failure rejects both the iteration and `result`.
 */
export class QueryStream implements AsyncIterableIterator<QueryEvent> {
  readonly sessionId: string;
  /** The result of the last event, for callers that do not iterate. */
  readonly result: Promise<QueryResult>;
  readonly #queryRun: QueryRun;
  readonly #pending: QueryEvent[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;

  constructor(open: () => QueryRun) {
    this.#queryRun = open();
    const { session } = this.#queryRun;
    this.sessionId = session.sessionId;
    session.on('stream_event', (event) => this.#push(event));
    session.on('notice', (notice) => this.#push({ type: 'notice', ...notice }));
    this.result = this.#run();
    // `next` rejects with the failure, so an unread `result` is no unhandled rejection.
    this.result.catch(() => undefined);
  }

  /** Cancels the query; the result is what had arrived. */
  abort(): void {
    this.#queryRun.session.abort();
  }

  async next(): Promise<IteratorResult<QueryEvent, undefined>> {
    while (this.#pending.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#pending.shift();
    if (value !== undefined) return { done: false, value };
    await this.result;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<QueryEvent, undefined>> {
    this.abort();
    await this.result.catch(() => undefined);
    this.#pending.length = 0;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #run(): Promise<QueryResult> {
    try {
      const result = await this.#queryRun.ask();
      this.#push({ type: 'result', result });
      return result;
    } finally {
      await this.#queryRun.close();
      this.#isOver = true;
      this.#wake();
    }
  }

  #push(event: QueryEvent): void {
    this.#pending.push(event);
    this.#wake();
  }
}
