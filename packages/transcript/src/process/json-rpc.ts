import { asNumber, asRecord, asString, isRecord, type JsonRecord } from '../json-record.ts';
import { parseLine } from '../parse-line.ts';
import type { AgentProcess, ProcessExit } from './agent-process.ts';

/** The other side answered a request with an error. */
export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';
  readonly errorCode: number | undefined;

  constructor(method: string, error: JsonRecord) {
    const { details } = asRecord(error.data);
    const message = asString(error.message) ?? `${method} failed`;
    super(typeof details === 'string' ? `${message}: ${details}` : message);
    this.errorCode = asNumber(error.code);
  }
}

/** The program ended while an answer was awaited. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  readonly exit: ProcessExit;

  constructor(method: string, exit: ProcessExit) {
    super(`The program ended before it answered ${method}`);
    this.exit = exit;
  }
}

export interface JsonRpcListener {
  /** Everything that comes in, as it came. */
  onMessage(message: JsonRecord): void;
  /** The answer to a request of the other side. */
  onRequest(method: string, params: JsonRecord, message: JsonRecord): Promise<unknown>;
}

/** Requests and answers in both directions, a line each. */
export class JsonRpcConnection {
  readonly closed: Promise<ProcessExit>;
  readonly #program: AgentProcess;
  readonly #waiting = new Map<number, Waiting>();
  /** Who listens now; between turns nobody does. */
  listener: JsonRpcListener | undefined;
  /** How many messages have come in. */
  received = 0;
  #lastId = 0;
  #exit: ProcessExit | undefined;

  constructor(program: AgentProcess) {
    this.#program = program;
    this.closed = this.#read();
  }

  get isOpen(): boolean {
    return this.#exit === undefined;
  }

  request(method: string, params: object): Promise<JsonRecord> {
    if (this.#exit) return Promise.reject(new ConnectionLostError(method, this.#exit));
    const id = ++this.#lastId;
    const answer = new Promise<JsonRecord>((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
    });
    this.#send({ id, method, params });
    return answer;
  }

  notify(method: string, params?: object): void {
    this.#send(params === undefined ? { method } : { method, params });
  }

  end(): Promise<void> {
    return this.#program.end();
  }

  async #read(): Promise<ProcessExit> {
    for await (const line of this.#program.lines) {
      const message = parseLine(line);
      // Programs print other things too, such as warnings.
      if (typeof message === 'object') this.#receive(message);
    }
    const exit = await this.#program.exited;
    this.#exit = exit;
    for (const { method, reject } of this.#waiting.values()) {
      reject(new ConnectionLostError(method, exit));
    }
    this.#waiting.clear();
    return exit;
  }

  #receive(message: JsonRecord): void {
    this.received++;
    this.listener?.onMessage(message);
    const method = asString(message.method);
    if (method !== undefined && message.id !== undefined) void this.#answer(method, message);
    const waiting = method === undefined && this.#waiting.get(asNumber(message.id) ?? -1);
    if (!waiting) return;
    this.#waiting.delete(asNumber(message.id) ?? -1);
    if (isRecord(message.error)) waiting.reject(new JsonRpcError(waiting.method, message.error));
    else waiting.resolve(asRecord(message.result));
  }

  async #answer(method: string, message: JsonRecord): Promise<void> {
    const { id } = message;
    try {
      if (this.listener === undefined) throw new Error('Nobody is there to answer');
      const result = await this.listener.onRequest(method, asRecord(message.params), message);
      this.#send({ id, result });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#send({ id, error: { code: UNANSWERED, message: text } });
    }
  }

  #send(message: object): void {
    this.#program.writeLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

interface Waiting {
  readonly method: string;
  readonly resolve: (result: JsonRecord) => void;
  readonly reject: (error: Error) => void;
}

const UNANSWERED = -32603;
