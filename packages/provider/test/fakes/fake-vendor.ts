import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One server-sent event as it goes over the wire. */
export interface WireEvent {
  readonly event?: string;
  readonly data: string;
}

/** The fake's response to the next request. */
export type Script =
  | {
      readonly kind: 'stream';
      readonly events: readonly WireEvent[];
      /** Bytes per write; the complete reply by default. */
      readonly chunkBytes?: number;
      /** After the events: close properly, break the connection, or hang. */
      readonly ending?: 'close' | 'break' | 'hang';
    }
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'drop' };

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  readonly rawBody: string;
}

export type Refuse = (request: SeenRequest) => { status: number; body: unknown } | undefined;

/** A fake vendor on loopback: plays its scripts in order and rejects what the real one rejects. */
export class FakeVendor {
  readonly requests: SeenRequest[] = [];
  readonly #scripts: Script[] = [];
  readonly #server: Server;
  readonly #refuse: Refuse;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(refuse: Refuse, headers: Readonly<Record<string, string>> = {}) {
    this.#refuse = refuse;
    this.#headers = headers;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  next(...scripts: readonly Script[]): void {
    this.#scripts.push(...scripts);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await readRequest(request);
    this.requests.push(seen);
    const refusal = this.#refuse(seen);
    if (refusal) return sendJson(response, refusal.status, refusal.body, this.#headers);
    const script = this.#scripts.shift();
    if (!script) return sendJson(response, 418, { error: { message: 'no script left' } }, {});
    if (script.kind === 'drop') return void request.socket.destroy();
    if (script.kind === 'refusal') {
      return sendJson(response, script.status, script.body, {
        ...this.#headers,
        ...script.headers,
      });
    }
    await this.#stream(script, response);
  }

  async #stream(script: Extract<Script, { kind: 'stream' }>, response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...this.#headers });
    const bytes = Buffer.from(script.events.map(toWire).join(''));
    const size = script.chunkBytes ?? Math.max(1, bytes.length);
    for (let start = 0; start < bytes.length; start += size) {
      await write(response, bytes.subarray(start, start + size));
    }
    if (script.ending === 'hang') return;
    if (script.ending === 'break') return void response.destroy();
    response.end();
  }
}

function toWire({ event, data }: WireEvent): string {
  return `${event ? `event: ${event}\n` : ''}data: ${data}\n\n`;
}

function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(chunk, () => setImmediate(resolve));
  });
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const rawBody = Buffer.concat(chunks).toString('utf8');
  return { path: request.url ?? '', headers: request.headers, body: JSON.parse(rawBody), rawBody };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
