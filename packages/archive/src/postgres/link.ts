import postgres from 'postgres';

export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];

/** Sends a statement inside a transaction. */
export type RunStatement = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

export interface ArchiveLinkOptions {
  readonly url: string;
  readonly connections: number;
  readonly name: string;
  /** Milliseconds without any response after which the statements that were sent count as lost. */
  readonly timeoutMs: number;
  /** False behind a pooler that may use another connection for each transaction. */
  readonly isPrepared?: boolean | undefined;
}

/** No response came, so it is unknown whether the statement was executed. */
export class ResponseLostError extends Error {
  override readonly name = 'ResponseLostError';
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

/** How many times `timeoutMs` a statement may take while others get responses, as in a long queue. */
const MAX_TIMEOUTS = 6;

interface SentStatement {
  readonly sql: postgres.Sql;
  /** When it was sent, in milliseconds of the monotonic clock. */
  readonly at: number;
  readonly reject: (error: Error) => void;
}

/** Connections to the archive's database. Each statement is sent once. */
export class Link {
  readonly #options: ArchiveLinkOptions;
  #sql: postgres.Sql;
  /** Statements without a response yet. */
  readonly #sent = new Set<SentStatement>();
  /** When the last response came, in milliseconds of the monotonic clock. */
  #respondedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ArchiveLinkOptions) {
    this.#options = options;
    this.#sql = connect(options);
  }

  query(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const { isPrepared = true } = this.#options;
    return this.#send((sql) => sql.unsafe(text, values as never[], { prepare: isPrepared }));
  }

  transaction<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    return this.#send(
      (sql) =>
        sql.begin((inside) =>
          work((text, values = []) => inside.unsafe(text, values as never[])),
        ) as Promise<Result>,
    );
  }

  /** Calls `onConnect` on every (re)connection, because notifications may have been missed. */
  async listen(
    channel: string,
    onPayload: (payload: string) => void,
    onConnect: () => void,
  ): Promise<void> {
    await this.#sql.listen(channel, onPayload, onConnect);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sql.end({ timeout: 1 });
  }

  #send<Result>(request: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const sent = { sql: this.#sql, at: performance.now(), reject };
      request(sent.sql).then(
        (result) => {
          this.#sent.delete(sent);
          this.#respondedAt = performance.now();
          resolve(result);
        },
        (error: unknown) => {
          this.#sent.delete(sent);
          reject(isLost(error) ? new ResponseLostError(error) : error);
        },
      );
      this.#sent.add(sent);
      this.#watch(this.#options.timeoutMs);
    });
  }

  /** One timer for all statements, because most get their response within a millisecond. */
  #watch(pause: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const sent of [...this.#sent]) if (this.#timeLeft(sent) <= 0) this.#giveUp(sent);
      const left = [...this.#sent].map((sent) => this.#timeLeft(sent));
      if (left.length > 0) this.#watch(Math.min(...left));
    }, pause).unref();
  }

  #giveUp(sent: SentStatement): void {
    const { timeoutMs } = this.#options;
    this.#sent.delete(sent);
    sent.reject(new ResponseLostError(new Error(`no response within ${timeoutMs} ms`)));
    this.#replace(sent.sql);
  }

  /** Put off while other statements get responses: this one may be waiting for a connection. */
  #timeLeft(sent: SentStatement): number {
    const { timeoutMs } = this.#options;
    const latest = sent.at + (MAX_TIMEOUTS - 1) * timeoutMs;
    const quietSince = Math.min(Math.max(sent.at, this.#respondedAt), latest);
    return quietSince + timeoutMs - performance.now();
  }

  /** Unresponsive connections would block every later statement. */
  #replace(stalled: postgres.Sql): void {
    if (stalled === this.#sql) this.#sql = connect(this.#options);
    // Its statements fail as lost and are reported where they were sent.
    stalled.end({ timeout: 0 }).catch(() => undefined);
  }
}

function connect({ url, connections, name }: ArchiveLinkOptions): postgres.Sql {
  return postgres(url, {
    max: connections,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: (attempt) => Math.min(0.02 * attempt, 0.5),
    onnotice: () => undefined,
    // Otherwise the driver queries array types on each new connection; if that is cut off, it rejects a promise nobody handles.
    fetch_types: false,
    types: {
      bigint: { to: 20, from: [20], parse: (text: string) => Number(text), serialize: String },
      ...Object.fromEntries(ARRAY_TYPES.map((oid) => [`array${oid}`, arrayType(oid)])),
    },
    connection: { application_name: name },
  }) as unknown as postgres.Sql;
}

/** `integer[]`, `text[]` and `bigint[]`: the only arrays used as parameters; none are read. */
const ARRAY_TYPES = [1007, 1009, 1016];

function arrayType(oid: number) {
  return { to: oid, from: [], parse: String, serialize: arrayLiteral };
}

function arrayLiteral(values: readonly (string | number | null)[]): string {
  const items = values.map((value) => {
    if (value === null) return 'NULL';
    return typeof value === 'number' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${items.join(',')}}`;
}

/** Codes of a broken connection, or of a server that is starting or shutting down. */
const LOST =
  /^(CONNECTION_(CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENETDOWN|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|57P0[1-5]|53300|40001|40P01|08...)$/;

function isLost(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && LOST.test(code);
}
