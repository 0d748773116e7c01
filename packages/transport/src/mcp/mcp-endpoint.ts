import { createMcpHandler, isLegacyRequest, type McpServer } from '@modelcontextprotocol/server';
import type { LiveSession } from '@robota-sdk/agent-sdk';
import type { Identity } from '../admission/roles.ts';
import { type GatewayOptions, SessionGateway } from '../live/session-gateway.ts';
import { HandshakeClients } from './handshake-clients.ts';
import { createSessionServer } from './session-server.ts';

/** Which sessions MCP clients reach. */
export interface McpEndpointOptions extends GatewayOptions {
  /** What the server calls itself; `robota` unless given. */
  readonly serverName?: string | undefined;
}

/** MCP for a server that has let somebody in already: requests in, responses out. */
export interface SharedMcpEndpoint {
  fetch(request: Request, identity: Identity): Promise<Response>;
  close(): Promise<void>;
}

interface Desk {
  readonly handler: ReturnType<typeof createMcpHandler>;
  readonly clients: HandshakeClients;
}

/** The sessions of a host as MCP tools; tools that name no session share one, made when it is first needed. */
export function createMcpEndpoint(options: McpEndpointOptions): SharedMcpEndpoint {
  const gateway = new SessionGateway(options);
  const desks = new Map<string, Desk>();
  let shared: Promise<LiveSession> | undefined;
  const sharedSession = async (): Promise<LiveSession> => {
    shared ??= gateway.create({ name: 'MCP' });
    const { sessionId } = await shared.catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
    // It may have been let go since; the next word brings it back.
    return gateway.open(sessionId);
  };
  const deskOf = (identity: Identity, session: LiveSession): Desk => {
    const key = JSON.stringify([identity.user, identity.tokenId]);
    const known = desks.get(key);
    if (known) return known;
    const factory = (): McpServer =>
      createSessionServer({
        gateway,
        session,
        reopen: sharedSession,
        identity,
        serverName: options.serverName ?? 'robota',
      });
    const desk = {
      handler: createMcpHandler(factory, { legacy: 'reject' }),
      clients: new HandshakeClients(factory),
    };
    desks.set(key, desk);
    return desk;
  };
  return {
    async fetch(request, identity) {
      const { clients, handler } = deskOf(identity, await sharedSession());
      return (await isLegacyRequest(request)) ? clients.fetch(request) : handler.fetch(request);
    },
    async close() {
      const ended = [...desks.values()].splice(0);
      desks.clear();
      await Promise.all(
        ended.flatMap(({ handler, clients }) => [handler.close(), clients.close()]),
      );
      await gateway.close();
    },
  };
}
