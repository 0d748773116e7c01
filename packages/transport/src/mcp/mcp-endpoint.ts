import type { LiveSession } from '@robota-sdk/agent-sdk';
import type { Identity } from '../admission/roles.ts';
import { type GatewayOptions, SessionGateway } from '../live/session-gateway.ts';
import { McpCallers } from './mcp-callers.ts';
import { createSessionServer } from './session-server.ts';

/** Which sessions MCP clients can use. */
export interface McpEndpointOptions extends GatewayOptions {
  /** The server's name; `robota` by default. */
  readonly serverName?: string | undefined;
}

/** Handles MCP requests that a server has already authenticated. */
export interface SharedMcpEndpoint {
  fetch(request: Request, identity: Identity): Promise<Response>;
  close(): Promise<void>;
}

/** A host's sessions as MCP tools; tools that name no session share one, created on first use. */
export function createMcpEndpoint(options: McpEndpointOptions): SharedMcpEndpoint {
  const gateway = new SessionGateway(options);
  let shared: Promise<LiveSession> | undefined;
  const sharedSession = async (): Promise<LiveSession> => {
    shared ??= gateway.create({ name: 'MCP' });
    const { sessionId } = await shared.catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
    // It may have been closed since; `open` resumes it.
    return gateway.open(sessionId);
  };
  const callers = new McpCallers(async (identity) =>
    createSessionServer({
      gateway,
      session: await sharedSession(),
      reopen: sharedSession,
      identity,
      serverName: options.serverName ?? 'robota',
    }),
  );
  return {
    fetch: (request, identity) => callers.fetch(request, identity),
    async close() {
      await callers.close();
      await gateway.close();
    },
  };
}
