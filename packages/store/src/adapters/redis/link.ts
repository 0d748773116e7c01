import { once } from 'node:events';
import { Redis } from 'ioredis';
import { LinkLostError } from '../retry.ts';
import { FIND_SCRIPT, RELEASE_LEASE_SCRIPT, TAKE_LEASE_SCRIPT, WRITE_SCRIPT } from './scripts.ts';

type Argument = string | number;
type Script = (...args: Argument[]) => Promise<unknown>;

/** Only a `write` leaves the outcome unknown when its response is lost. */
export type RequestKind = 'read' | 'write' | 'repeatable';

/** The connection: sends each request once and throws LinkLostError if no response comes. */
export class RedisLink {
  readonly #redis: Redis;
  readonly #timeoutMs: number;
  #connecting: Promise<void> | undefined;

  constructor(url: string, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#redis = new Redis(url, {
      lazyConnect: true,
      // A request that cannot be sent fails immediately, so that it is known not to have been sent.
      enableOfflineQueue: false,
      commandTimeout: timeoutMs,
      connectTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Callers decide on retries, since they know what is safe to repeat.
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 20, 500),
    });
    // Requests report their own failures; without a listener the error event would end the process.
    this.#redis.on('error', () => undefined);
    for (const [name, lua] of SCRIPTS) this.#redis.defineCommand(name, { lua });
  }

  async readHash(key: string, fields: readonly string[]): Promise<(string | null)[]> {
    return this.send('read', () => this.#redis.hmget(key, ...fields));
  }

  script(kind: RequestKind, name: ScriptName, keys: readonly string[], args: readonly Argument[]) {
    const command: unknown = Reflect.get(this.#redis, name);
    // defineCommand added a method of this name in the constructor.
    return this.send(kind, () =>
      (command as Script).call(this.#redis, keys.length, ...keys, ...args),
    );
  }

  async send<Result>(kind: RequestKind, request: () => Promise<Result>): Promise<Result> {
    try {
      await this.#connect();
      return await request();
    } catch (error) {
      if (isConnectionError(error))
        throw new LinkLostError(kind === 'write' && wasSent(error), { cause: error });
      throw error;
    }
  }

  /** Waits for a pending connection; the driver reconnects by itself. */
  async #connect(): Promise<void> {
    if (this.#redis.status === 'ready') return;
    this.#connecting ??= this.#attempt().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
  }

  async #attempt(): Promise<void> {
    if (this.#redis.status === 'wait') return this.#redis.connect();
    const finished = new AbortController();
    const signal = AbortSignal.any([finished.signal, AbortSignal.timeout(this.#timeoutMs)]);
    try {
      await Promise.race(
        ['ready', 'close', 'end'].map((event) => once(this.#redis, event, { signal })),
      );
    } finally {
      finished.abort();
    }
  }

  get client(): Redis {
    return this.#redis;
  }

  close(): void {
    this.#redis.disconnect();
  }
}

export type ScriptName =
  | 'robotaWriteSession'
  | 'robotaFindSessions'
  | 'robotaTakeLease'
  | 'robotaReleaseLease';

const SCRIPTS: readonly (readonly [ScriptName, string])[] = [
  ['robotaWriteSession', WRITE_SCRIPT],
  ['robotaFindSessions', FIND_SCRIPT],
  ['robotaTakeLease', TAKE_LEASE_SCRIPT],
  ['robotaReleaseLease', RELEASE_LEASE_SCRIPT],
];

/** Redis errors that are temporary. */
const TEMPORARY_ERROR = /^(LOADING|BUSY|MASTERDOWN|READONLY|TRYAGAIN|CLUSTERDOWN)\b/;

/** Every error that is not a reply from the server is a connection error. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name !== 'ReplyError' || TEMPORARY_ERROR.test(error.message);
}

/** False if the driver refused to queue the request or never connected, so the server has not seen it. */
function wasSent(error: unknown): boolean {
  return !(
    error instanceof Error &&
    /isn't writeable|ECONNREFUSED|ENOTFOUND|Connection is closed/.test(error.message)
  );
}
