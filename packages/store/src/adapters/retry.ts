import { setTimeout as delay } from 'node:timers/promises';
import { SessionStoreUnavailableError } from '../errors/session-store-unavailable-error.ts';

/** A request to the database got no response. */
export class LinkLostError extends Error {
  override readonly name = 'LinkLostError';
  /** The request was a write and may have reached the database. */
  readonly mayHaveWritten: boolean;

  constructor(mayHaveWritten: boolean, options: ErrorOptions) {
    super(options.cause instanceof Error ? options.cause.message : 'no answer', options);
    this.mayHaveWritten = mayHaveWritten;
  }
}

/** Repeats work after a lost connection, for a limited time; the work must be safe to repeat. */
export class ReconnectPolicy {
  readonly #retryForMs: number;

  constructor(retryForMs: number) {
    this.#retryForMs = retryForMs;
  }

  /** `operation` completes the sentence "Cannot …". */
  async run<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
    const giveUpAt = performance.now() + this.#retryForMs;
    let mayHaveWritten = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof LinkLostError)) throw error;
        mayHaveWritten ||= error.mayHaveWritten;
        const pauseMs = Math.min(25 * 2 ** attempt, 400);
        if (performance.now() + pauseMs > giveUpAt) {
          const outcome = mayHaveWritten ? 'unknown' : 'none';
          throw new SessionStoreUnavailableError(operation, { outcome, cause: error });
        }
        await delay(pauseMs);
      }
    }
  }
}
