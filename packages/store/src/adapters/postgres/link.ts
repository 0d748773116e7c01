import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { LinkLostError } from '../retry.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Only a `write` leaves the outcome unknown when its response is lost. */
export type RequestKind = 'read' | 'write' | 'repeatable';

type Value = string | number | null;

export interface LinkOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly timeoutMs: number;
}

/** The connection pool: sends each statement once and throws LinkLostError if no response comes. */
export class PostgresLink {
  readonly #options: LinkOptions;
  readonly #pending = new Set<Promise<unknown>>();
  #sql: postgres.Sql;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#sql = connect(options);
  }

  query(kind: RequestKind, text: string, values: readonly Value[]): Promise<readonly Row[]> {
    return this.#send(kind, (sql) => sql.unsafe(text, [...values], { prepare: true }));
  }

  /** Runs `work` in a transaction. */
  transaction(
    work: (run: (text: string) => Promise<readonly Row[]>) => Promise<void>,
  ): Promise<void> {
    return this.#send('repeatable', async (sql) => {
      await sql.begin((inside) => work((text) => inside.unsafe(text)));
    });
  }

  /** Waits up to a second for pending requests; the driver itself would wait for dead connections. */
  async close(): Promise<void> {
    const finished = new AbortController();
    const timeout = delay(1000, undefined, { signal: finished.signal });
    await Promise.race([Promise.allSettled(this.#pending), timeout]);
    finished.abort();
    await this.#sql.end({ timeout: 0 });
  }

  async #send<Result>(
    kind: RequestKind,
    request: (sql: postgres.Sql) => Promise<Result>,
  ): Promise<Result> {
    const sql = this.#sql;
    const response = request(sql);
    this.#pending.add(response);
    try {
      return await this.#withDeadline(response, sql);
    } catch (error) {
      const failure = connectionError(error);
      if (failure === 'none') throw error;
      throw new LinkLostError(kind === 'write' && failure === 'lost', { cause: error });
    } finally {
      this.#pending.delete(response);
    }
  }

  async #withDeadline<Result>(response: Promise<Result>, sql: postgres.Sql): Promise<Result> {
    const { timeoutMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new NoAnswerError(timeoutMs));
        this.#replace(sql);
      }, timeoutMs);
    });
    try {
      return await Promise.race([response, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Replaces the pool, because unresponsive connections would block later requests. */
  #replace(unresponsive: postgres.Sql): void {
    if (unresponsive === this.#sql) this.#sql = connect(this.#options);
    // Its requests fail with a lost connection and report that themselves.
    unresponsive.end({ timeout: 0 }).catch(() => undefined);
  }
}

class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly code = 'NO_ANSWER';

  constructor(timeoutMs: number) {
    super(`no response within ${timeoutMs} ms`);
  }
}

function connect({ url, maxConnections, timeoutMs }: LinkOptions): postgres.Sql {
  return postgres(url, {
    max: maxConnections,
    connect_timeout: Math.max(1, Math.ceil(timeoutMs / 1000)),
    idle_timeout: 60,
    fetch_types: false,
    backoff: (attempt) => Math.min(0.02 * attempt, 0.5),
    onnotice: () => undefined,
    connection: { application_name: 'robota-store', statement_timeout: timeoutMs },
  });
}

/** Codes after which the server has certainly not run the statement. */
const NOT_RUN = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
  '57P03',
  '53300',
  '40001',
  '40P01',
  '55P03',
  '57014',
]);
/** Codes after which the outcome is unknown. */
const LOST =
  /^(CONNECTION_(CLOSED|DESTROYED|ENDED)|ECONNRESET|EPIPE|ETIMEDOUT|ENETDOWN|ENETUNREACH|EHOSTUNREACH|NO_ANSWER|57P0[12]|08...)$/;

function connectionError(error: unknown): 'none' | 'not-run' | 'lost' {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (typeof code !== 'string') return 'none';
  if (NOT_RUN.has(code)) return 'not-run';
  return LOST.test(code) ? 'lost' : 'none';
}
