import postgres from 'postgres';

export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];

/** Sends a statement inside a transaction. */
export type Run = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

export interface LinkOptions {
  readonly url: string;
  readonly connections: number;
  readonly name: string;
  /** Milliseconds before a statement without an answer counts as lost. */
  readonly timeoutMs: number;
  /** False behind a pooler that gives each transaction another connection. */
  readonly isPrepared?: boolean | undefined;
  /** False on the connection for wake-ups: they may be lost, and must not wait for the disk. */
  readonly isDurable?: boolean | undefined;
}

/** No answer came: nobody knows whether the statement was carried out. */
export class AnswerLostError extends Error {
  override readonly name = 'AnswerLostError';
  readonly code = 'archive_unreachable';

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The archive's database does not answer (${reason}). Check that it runs and can be reached.`,
      {
        cause,
      },
    );
  }
}

/** Connections to the archive's database. Each statement is sent once. */
export class Link {
  readonly #options: LinkOptions;
  #sql: postgres.Sql;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#sql = connect(options);
  }

  query(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const { isPrepared = true } = this.#options;
    return this.#send((sql) => sql.unsafe(text, values as never[], { prepare: isPrepared }));
  }

  /** All of `work` or nothing of it. */
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    return this.#send(
      (sql) =>
        sql.begin((inside) =>
          work((text, values = []) => inside.unsafe(text, values as never[])),
        ) as Promise<Result>,
    );
  }

  /** Calls `hear` with every notification; `again` whenever some may have been missed. */
  async listen(channel: string, hear: (payload: string) => void, again: () => void): Promise<void> {
    await this.#sql.listen(channel, hear, again);
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 1 });
  }

  async #send<Result>(request: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
    const sql = this.#sql;
    const answer = request(sql);
    let timer: NodeJS.Timeout | undefined;
    const { timeoutMs } = this.#options;
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new AnswerLostError(new Error(`no answer within ${timeoutMs} ms`)));
        this.#replace(sql);
      }, timeoutMs);
    });
    try {
      return await Promise.race([answer, deadline]);
    } catch (error) {
      throw isLost(error) ? new AnswerLostError(error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Connections that went silent would hold up everything behind them. */
  #replace(silent: postgres.Sql): void {
    if (silent === this.#sql) this.#sql = connect(this.#options);
    // Its statements fail as lost and are reported where they were sent.
    silent.end({ timeout: 0 }).catch(() => undefined);
  }
}

function connect({ url, connections, name, isDurable = true }: LinkOptions): postgres.Sql {
  return postgres(url, {
    max: connections,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: (attempt) => Math.min(0.02 * attempt, 0.5),
    onnotice: () => undefined,
    types: {
      bigint: { to: 20, from: [20], parse: (text: string) => Number(text), serialize: String },
    },
    connection: {
      application_name: name,
      ...(!isDurable && { synchronous_commit: 'off' }),
    },
  }) as unknown as postgres.Sql;
}

/** Codes of a link that broke, or of a server that is on its way down or up. */
const LOST =
  /^(CONNECTION_(CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENETDOWN|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|57P0[1-5]|53300|40001|40P01|08...)$/;

function isLost(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && LOST.test(code);
}
