import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import type { SearchHit, SessionRow, UsageRow } from '../../src/api-types.ts';
import { openPageFiles } from '../../src/serve/page-files.ts';
import type { FakeSession } from './fake-session.ts';

export const TOKEN = 'a-token-for-tests-that-is-long-enough';

export interface FakeWorld {
  readonly sessions: FakeSession[];
  readonly usage: readonly UsageRow[];
  readonly hits: readonly SearchHit[];
}

/** Serves the page and a fake API in this process, and records all requests. */
export class FakeServer {
  readonly requests: { method: string; path: string; body: unknown; token: string | undefined }[] =
    [];
  readonly world: FakeWorld;
  readonly #codes = new Set<string>();
  readonly #watchers = new Set<ServerResponse>();
  readonly #folders = new Set(['/home/ada/relay']);
  #server: Server | undefined;
  #port = 0;

  constructor(world: FakeWorld) {
    this.world = world;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const files = openPageFiles(join(import.meta.dirname, '../../dist/page'));
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      if (pathname.startsWith('/api/')) {
        void this.#answer(request, response);
        return;
      }
      const file = files.find(pathname, request.headers['accept-encoding'] as string | undefined);
      response.writeHead(file ? 200 : 404, file?.headers);
      response.end(file?.body);
    });
    this.#acceptSockets(server);
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Ends every connection; `start` afterwards listens on the same port. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    for (const session of this.world.sessions) for (const client of session.clients) client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  newCode(): string {
    const code = `code-${this.#codes.size}-${Date.now()}`;
    this.#codes.add(code);
    return code;
  }

  tellList(row: SessionRow): void {
    for (const watcher of this.#watchers) watcher.write(`data: ${JSON.stringify(row)}\n\n`);
  }

  #acceptSockets(server: Server): void {
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'robota.v1' });
    server.on('upgrade', (request, socket, head) => {
      const address = new URL(request.url ?? '/', 'http://x');
      const id = decodeURIComponent(address.pathname.split('/')[3] ?? '');
      const session = this.world.sessions.find(({ row }) => row.id === id);
      const offered = String(request.headers['sec-websocket-protocol'] ?? '');
      if (!session || !offered.includes(`robota.token.${TOKEN}`)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (client) => {
        const after = address.searchParams.get('after');
        const connection = {
          send: (message: unknown) => client.send(JSON.stringify(message)),
          close: () => client.terminate(),
        };
        client.on('close', () => session.clients.delete(connection));
        client.on('message', (data) => session.hear(connection, JSON.parse(String(data))));
        session.join(connection, {
          after: after === null ? undefined : Number(after),
          epoch: address.searchParams.get('epoch') ?? undefined,
          tail: Number(address.searchParams.get('tail')) || undefined,
        });
      });
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const body = await readBody(request);
    const method = request.method ?? 'GET';
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1];
    this.requests.push({ method, path: pathname, body, token });
    const send = (status: number, answer: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    };
    const [, , resource, ...rest] = pathname.split('/').map(decodeURIComponent);
    if (resource === 'links' && rest[0] !== undefined) {
      const isKnown = this.#codes.delete(rest[0]);
      send(isKnown ? 200 : 404, isKnown ? { token: TOKEN } : refusal('unknown_link'));
      return;
    }
    if (token !== TOKEN) {
      send(401, refusal('unauthorized'));
      return;
    }
    if (pathname === '/api/sessions/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': here\n\n');
      this.#watchers.add(response);
      request.on('close', () => this.#watchers.delete(response));
      return;
    }
    const answer = this.#route({ method, resource: resource ?? '', rest, searchParams, body });
    send(answer === undefined ? 404 : 200, answer ?? refusal('unknown_session'));
  }

  #route(call: Call): unknown {
    const { resource, rest, method } = call;
    switch (resource) {
      case 'me':
        return {
          node: 'atlas',
          version: '0.2.0',
          user: 'owner',
          roles: ['read', 'prompt', 'approve', 'admin'],
          epoch: 'first',
        };
      case 'sessions':
        if (rest.length === 0) return method === 'POST' ? { session_id: 'fresh' } : this.#list();
        return this.#session(call);
      case 'search':
        return { hits: this.world.hits, has_more: true, took_ms: 12 };
      case 'usage':
        return { rows: this.#usage(call.searchParams.get('group') ?? 'day') };
      case 'links':
        return { code: this.newCode(), expires_at: new Date().toISOString() };
      case 'tokens':
        return { tokens: [] };
      case 'trust':
        return this.#trust(call);
      default:
        return undefined;
    }
  }

  #trust({ method, body, searchParams }: Call): unknown {
    if (method === 'POST') this.#folders.add(String((body as { path: string }).path));
    if (method === 'DELETE') this.#folders.delete(searchParams.get('path') ?? '');
    return { folders: [...this.#folders].map((path) => ({ path })) };
  }

  #list(): unknown {
    const sessions = this.world.sessions.map(({ row }) => row);
    const count = (state: string) => sessions.filter((row) => row.state === state).length;
    return {
      sessions,
      totals: { all: 1284, live: 2, working: count('working'), waiting: count('waiting') },
    };
  }

  #usage(group: string): readonly UsageRow[] {
    if (group === 'day') return this.world.usage;
    const keys: Readonly<Record<string, readonly string[]>> = {
      model: ['claude-sonnet-5-5', 'gpt-5.6-codex', 'gemini-3.5-pro'],
      agent: ['robota', 'claude', 'codex'],
      project: ['relay', 'docs', 'infra'],
    };
    return (keys[group] ?? []).map((key, index) => ({
      key,
      label: key,
      requests: [212, 88, 41][index] ?? 0,
      input_tokens: [4_600_000, 2_000_000, 700_000][index] ?? 0,
      output_tokens: [1_200_000, 610_000, 290_000][index] ?? 0,
      cache_read_tokens: [33_600_000, 15_000_000, 5_500_000][index] ?? 0,
      cache_write_tokens: 0,
      cost_usd: [96.1, 41.75, undefined][index],
      unpriced_requests: index === 2 ? 61 : 0,
    }));
  }

  #placeOf({ blocks }: FakeSession, blockId: string): unknown {
    const ordinal = blocks.findIndex(({ id }) => id === blockId);
    return ordinal === -1 ? undefined : { thread: 'main', ordinal, total: blocks.length };
  }

  #session({ rest, method, searchParams, body }: Call): unknown {
    const [id, part] = rest;
    const session = this.world.sessions.find(({ row }) => row.id === id);
    if (!session) return undefined;
    if (part === undefined) return { session: session.row, ...DETAILS };
    const { long } = session;
    if (part === 'hand-over') return handedOver(body);
    if (part === 'fork') return { session_id: 'forked' };
    if (part === 'files') return { files: ['src/session/recover.ts', 'test/recover.test.ts'] };
    if (part !== 'blocks') return method === 'GET' ? undefined : { ok: true };
    const from = Number(searchParams.get('from'));
    const limit = Math.min(500, Number(searchParams.get('limit')));
    if (rest[2] !== undefined) return this.#placeOf(session, rest[2]);
    if (long) {
      const count = Math.max(0, Math.min(limit, long.total - from));
      const blocks = Array.from({ length: count }, (_, index) => long.at(from + index));
      return { total: long.total, from, blocks };
    }
    const thread = searchParams.get('thread');
    const blocks =
      thread === null
        ? session.blocks
        : (session.threads.find((one) => one.id === thread)?.blocks ?? []);
    return { total: blocks.length, from, blocks: blocks.slice(from, from + limit) };
  }
}

function handedOver(body: unknown): object {
  const lines = ['prompts: 3 of 3 kept', 'thoughts: 2 left out; only their vendor takes them back'];
  const { to, dry_run: isDryRun } = body as { to: string; dry_run?: boolean };
  const report = { to, cwd: '/home/ada/relay', lines };
  return isDryRun
    ? { ...report, status: 'planned' }
    : { ...report, status: 'ready', session_id: 'forked' };
}

interface Call {
  readonly method: string;
  readonly resource: string;
  readonly rest: readonly string[];
  readonly searchParams: URLSearchParams;
  readonly body: unknown;
}

const DETAILS = {
  commands: [
    { name: 'compact', description: 'Replace the conversation by a summary of it' },
    { name: 'cost', description: 'Tokens and cost of this session' },
    { name: 'context', description: 'What fills the context window' },
    { name: 'clear', description: 'Start again with nothing said' },
  ],
  models: ['claude-sonnet-5-5', 'claude-opus-5', 'gpt-5.6-codex'],
  permission_modes: ['plan', 'default', 'acceptEdits', 'bypassPermissions'],
};

function refusal(code: string): object {
  return { error: { code, message: `Refused: ${code}` } };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}
