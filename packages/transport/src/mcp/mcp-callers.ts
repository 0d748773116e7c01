import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Identity } from '../admission/roles.ts';
import { WireError } from '../live/wire-error.ts';

type ServerFactory = (identity: Identity) => McpServer | Promise<McpServer>;

/** Handles the MCP requests of every caller, each with servers of its own that act with its roles. */
export class McpCallers {
  readonly #factory: ServerFactory;
  readonly #callers = new Map<string, McpCaller>();

  constructor(factory: ServerFactory) {
    this.#factory = factory;
  }

  fetch(request: Request, identity: Identity): Promise<Response> {
    const { user, tokenId, roles } = identity;
    const key = JSON.stringify([user, tokenId, ...roles]);
    const known = this.#callers.get(key);
    if (known) return known.fetch(request);
    const caller = new McpCaller(() => this.#factory(identity));
    this.#callers.set(key, caller);
    return caller.fetch(request);
  }

  async close(): Promise<void> {
    const ended = [...this.#callers.values()];
    this.#callers.clear();
    await Promise.all(ended.map((caller) => caller.close()));
  }
}

/** Clients of one caller that are held at once; the oldest is dropped for a new one. */
const MAX_CLIENTS = 100;

/** Clients that start with a handshake have a server each, so that a later request can cancel an earlier one. */
class McpCaller {
  readonly #factory: () => McpServer | Promise<McpServer>;
  readonly #handler: ReturnType<typeof createMcpHandler>;
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(factory: () => McpServer | Promise<McpServer>) {
    this.#factory = factory;
    this.#handler = createMcpHandler(factory, { legacy: 'reject' });
  }

  async fetch(request: Request): Promise<Response> {
    if (!(await isLegacyRequest(request))) return this.#handler.fetch(request);
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await this.#welcome()).handleRequest(request);
    const known = this.#transports.get(id);
    // The protocol answers an ended session with 404; clients then initialise again.
    if (!known) throw new WireError('session_not_found', 'This MCP session has ended.');
    return known.handleRequest(request);
  }

  async close(): Promise<void> {
    const transports = [...this.#transports.values()];
    this.#transports.clear();
    await Promise.all([this.#handler, ...transports].map((each) => each.close()));
  }

  async #welcome(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => this.#keep(id, transport),
      onsessionclosed: (id) => void this.#transports.delete(id),
    });
    await (await this.#factory()).connect(transport);
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
