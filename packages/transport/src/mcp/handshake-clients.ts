import { randomUUID } from 'node:crypto';
import {
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { WireError } from '../live/wire-error.ts';

/** Clients held at once; the one that came first gives way to a new one. */
const MAX_CLIENTS = 100;

/** Clients that begin with a handshake. Each has a server of its own, so that a later request can cancel an earlier one. */
export class HandshakeClients {
  readonly #factory: () => McpServer;
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(factory: () => McpServer) {
    this.#factory = factory;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await this.#welcome()).handleRequest(request);
    const known = this.#transports.get(id);
    // The protocol's answer to an ended session is 404, upon which a client begins anew.
    if (!known) throw new WireError('session_not_found', 'This MCP session has ended.');
    return known.handleRequest(request);
  }

  async close(): Promise<void> {
    const transports = [...this.#transports.values()];
    this.#transports.clear();
    await Promise.all(transports.map((transport) => transport.close()));
  }

  async #welcome(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => this.#keep(id, transport),
      onsessionclosed: (id) => void this.#transports.delete(id),
    });
    await this.#factory().connect(transport);
    return transport;
  }

  async #keep(id: string, transport: WebStandardStreamableHTTPServerTransport): Promise<void> {
    this.#transports.set(id, transport);
    const [oldest] = this.#transports;
    if (this.#transports.size <= MAX_CLIENTS || !oldest) return;
    this.#transports.delete(oldest[0]);
    await oldest[1].close();
  }
}
