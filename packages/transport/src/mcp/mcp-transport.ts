import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import {
  type StdioServerHandle,
  StdioServerTransport,
  serveStdio,
} from '@modelcontextprotocol/server/stdio';
import {
  type AttachableSession,
  type LiveSession,
  type TransportAdapter,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import type { Identity } from '../admission/roles.ts';
import type { ServerToken } from '../admission/server-token.ts';
import { type GatewayOptions, SessionGateway } from '../live/session-gateway.ts';
import { type McpHttpOptions, type McpHttpServer, serveMcpOverHttp } from './mcp-http.ts';
import { createSessionServer } from './session-server.ts';

/** Which session an MCP client uses, and how it connects. */
export interface McpTransportOptions extends GatewayOptions {
  /** Serves over streamable HTTP; standard input and output by default. */
  readonly http?: McpHttpOptions | undefined;
  /** Replaces standard input. */
  readonly input?: Readable | undefined;
  readonly output?: Writable | undefined;
  /** The server's name; `robota` by default. */
  readonly serverName?: string | undefined;
}

/** A session as an MCP server: `submit` and every command are tools. */
export interface McpTransport extends TransportAdapter {
  readonly name: 'mcp';
  attach(session: AttachableSession): void;
  /** HTTP only: the server's URL. */
  getUrl(): string;
  getToken(): ServerToken | undefined;
  /** Stdio only: settles when the client has closed its side. */
  closed(): Promise<void>;
}

/** Serves a session to an MCP client. */
export function createMcpTransport(options: McpTransportOptions = {}): McpTransport {
  const gateway = new SessionGateway(options);
  let attached: LiveSession | undefined;
  let http: McpHttpServer | undefined;
  let stdio: StdioLine | undefined;
  const overHttp = (): McpHttpServer => {
    if (http) return http;
    throw new Error('Transport not started. Call start() first.');
  };
  return {
    name: 'mcp',
    attach(session) {
      attached = toLiveSession(session);
      gateway.attach(session);
    },
    async start() {
      if (http || stdio) return;
      gateway.assertReady();
      const session = attached ?? (await gateway.create({}));
      const serverName = options.serverName ?? 'robota';
      const factory = (identity?: Identity) =>
        createSessionServer({ gateway, session, identity, serverName });
      if (options.http) http = await serveMcpOverHttp(factory, options.http);
      else stdio = openStdio(() => factory(), options);
    },
    async stop() {
      const [server, line] = [http, stdio];
      http = undefined;
      stdio = undefined;
      await server?.stop();
      await line?.handle.close();
    },
    getUrl: () => overHttp().url,
    getToken: () => overHttp().token,
    closed: () => stdio?.closed ?? Promise.resolve(),
  };
}

interface StdioLine {
  readonly handle: StdioServerHandle;
  readonly closed: Promise<void>;
}

function openStdio(factory: McpServerFactory, { input, output }: McpTransportOptions): StdioLine {
  const source = input ?? process.stdin;
  const closed = new Promise<void>((resolve) => {
    source.once('end', resolve);
    source.once('close', resolve);
  });
  const transport = new StdioServerTransport(source, output ?? process.stdout);
  return { handle: serveStdio(factory, { transport }), closed };
}
