import { asNumber, asRecord, asString, isRecord, type JsonRecord } from '../json-record.ts';
import { parseLine } from '../parse-line.ts';
import type { AgentProcess, ProcessExit } from './agent-process.ts';

/** The other side responded with an error. */
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

/** The program exited before it responded. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  readonly exit: ProcessExit;

  constructor(method: string, exit: ProcessExit) {
    super(`The program ended before it answered ${method}`);
    this.exit = exit;
  }
}

export interface JsonRpcListener {
  /** Every incoming message. */
  onMessage(message: JsonRecord): void;
  /** Responds to a request of the other side. */
  onRequest(method: string, params: JsonRecord, message: JsonRecord): Promise<unknown>;
}

/** A bidirectional JSON-RPC connection with one message per line. */
export class JsonRpcConnection {
  readonly closed: Promise<ProcessExit>;
  readonly #program: AgentProcess;
  readonly #pending = new Map<number, PendingRequest>();
  /** Undefined between turns. */
  listener: JsonRpcListener | undefined;
  /** Number of messages received. */
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
      this.#pending.set(id, { method, resolve, reject });
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
      // Programs also print other lines, such as warnings.
      if (typeof message === 'object') this.#receive(message);
    }
    const exit = await this.#program.exited;
    this.#exit = exit;
    for (const { method, reject } of this.#pending.values()) {
      reject(new ConnectionLostError(method, exit));
    }
    this.#pending.clear();
    return exit;
  }

  #receive(message: JsonRecord): void {
    this.received++;
    this.listener?.onMessage(message);
    const method = asString(message.method);
    if (method !== undefined && message.id !== undefined) void this.#answer(method, message);
    const pending = method === undefined && this.#pending.get(asNumber(message.id) ?? -1);
    if (!pending) return;
    this.#pending.delete(asNumber(message.id) ?? -1);
    if (isRecord(message.error)) pending.reject(new JsonRpcError(pending.method, message.error));
    else pending.resolve(asRecord(message.result));
  }

  async #answer(method: string, message: JsonRecord): Promise<void> {
    const { id } = message;
    try {
      if (this.listener === undefined) throw new Error('No turn is running');
      const result = await this.listener.onRequest(method, asRecord(message.params), message);
      this.#send({ id, result });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#send({ id, error: { code: INTERNAL_ERROR, message: text } });
    }
  }

  #send(message: object): void {
    this.#program.writeLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

interface PendingRequest {
  readonly method: string;
  readonly resolve: (result: JsonRecord) => void;
  readonly reject: (error: Error) => void;
}

const INTERNAL_ERROR = -32603;
