import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { LinkLostError } from '../retry.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Whether a lost answer leaves a doubt about what was written. */
export type RequestKind = 'read' | 'write' | 'repeatable';

type Value = string | number | null;

export interface LinkOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly timeoutMs: number;
}

/** The connections: sends each statement once and says so when no answer comes. */
export class PostgresLink {
  readonly #options: LinkOptions;
  readonly #underWay = new Set<Promise<unknown>>();
  #sql: postgres.Sql;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#sql = connect(options);
  }

  query(kind: RequestKind, text: string, values: readonly Value[]): Promise<readonly Row[]> {
    return this.#send(kind, (sql) => sql.unsafe(text, [...values], { prepare: true }));
  }

  /** All of `work` or nothing of it. */
  transaction(
    work: (run: (text: string) => Promise<readonly Row[]>) => Promise<void>,
  ): Promise<void> {
    return this.#send('repeatable', async (sql) => {
      await sql.begin((inside) => work((text) => inside.unsafe(text)));
    });
  }

  /** Waits up to a second for requests under way; the driver itself would wait for connections that are gone. */
  async close(): Promise<void> {
    const waiting = new AbortController();
    const patience = delay(1000, undefined, { signal: waiting.signal });
    await Promise.race([Promise.allSettled(this.#underWay), patience]);
    waiting.abort();
    await this.#sql.end({ timeout: 0 });
  }

  async #send<Result>(
    kind: RequestKind,
    request: (sql: postgres.Sql) => Promise<Result>,
  ): Promise<Result> {
    const sql = this.#sql;
    const answer = request(sql);
    this.#underWay.add(answer);
    try {
      return await this.#withDeadline(answer, sql);
    } catch (error) {
      const trouble = linkTrouble(error);
      if (trouble === 'none') throw error;
      throw new LinkLostError(kind === 'write' && trouble === 'lost', { cause: error });
    } finally {
      this.#underWay.delete(answer);
    }
  }

  async #withDeadline<Result>(answer: Promise<Result>, sql: postgres.Sql): Promise<Result> {
    const { timeoutMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new NoAnswerError(timeoutMs));
        this.#replace(sql);
      }, timeoutMs);
    });
    try {
      return await Promise.race([answer, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Connections that went silent would hold up everything behind them. */
  #replace(silent: postgres.Sql): void {
    if (silent === this.#sql) this.#sql = connect(this.#options);
    // Its requests fail as lost links and are reported where they were made.
    silent.end({ timeout: 0 }).catch(() => undefined);
  }
}

class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly code = 'NO_ANSWER';

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
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
/** Codes after which nobody knows. */
const LOST =
  /^(CONNECTION_(CLOSED|DESTROYED|ENDED)|ECONNRESET|EPIPE|ETIMEDOUT|ENETDOWN|ENETUNREACH|EHOSTUNREACH|NO_ANSWER|57P0[12]|08...)$/;

function linkTrouble(error: unknown): 'none' | 'not-run' | 'lost' {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (typeof code !== 'string') return 'none';
  if (NOT_RUN.has(code)) return 'not-run';
  return LOST.test(code) ? 'lost' : 'none';
}
