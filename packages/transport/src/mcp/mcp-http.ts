import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Admission, type AdmissionOptions } from '../admission/admission.ts';
import { assertRole, type Identity } from '../admission/roles.ts';
import type { ServerToken } from '../admission/server-token.ts';
import { listen } from '../listen.ts';
import { toWireError, WireError } from '../live/wire-error.ts';
import { McpCallers } from './mcp-callers.ts';

/** Where and for whom MCP is served over HTTP. */
export interface McpHttpOptions extends AdmissionOptions {
  /** 7072 by default; 0 picks a free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default: only this machine. */
  readonly hostname?: string | undefined;
  readonly maxBodyBytes?: number | undefined;
}

export interface McpHttpServer {
  readonly url: string;
  readonly token: ServerToken | undefined;
  stop(): Promise<void>;
}

const DEFAULT_PORT = 7072;
const MAX_BODY_BYTES = 1024 * 1024;

/** MCP over streamable HTTP at `/mcp`, behind the same checks as the other servers. */
export async function serveMcpOverHttp(
  factory: (identity: Identity) => McpServer,
  options: McpHttpOptions,
): Promise<McpHttpServer> {
  const admission = new Admission(options);
  const callers = new McpCallers(factory);
  const app = new Hono<{ Bindings: HttpBindings; Variables: { identity: Identity } }>();
  app.onError((error, context) => {
    const failure = toWireError(error);
    return context.json(failure.toJSON(), failure.status as ContentfulStatusCode);
  });
  app.notFound((context) =>
    context.json(new WireError('unknown_route', 'MCP is at /mcp.').toJSON(), 404),
  );
  app.use(async (context, next) => {
    const { req } = context;
    const identity = admission.admit({
      host: req.header('host'),
      origin: req.header('origin'),
      authorization: req.header('authorization'),
      address: context.env?.incoming?.socket.remoteAddress ?? 'unknown',
    });
    assertRole(identity, 'prompt');
    context.set('identity', identity);
    await next();
  });
  const maxSize = options.maxBodyBytes ?? MAX_BODY_BYTES;
  const tooLarge = new WireError('too_large', `At most ${maxSize} bytes fit.`);
  app.use(bodyLimit({ maxSize, onError: (context) => context.json(tooLarge.toJSON(), 413) }));
  app.all('/mcp', (context) => callers.fetch(context.req.raw, context.get('identity')));
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const { port = DEFAULT_PORT, hostname = '127.0.0.1' } = options;
  await listen(server, port, hostname);
  const { port: bound } = server.address() as AddressInfo;
  const name = hostname.includes(':') ? `[${hostname}]` : hostname;
  return {
    url: `http://${name}:${bound}/mcp`,
    token: admission.token,
    async stop() {
      await callers.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
