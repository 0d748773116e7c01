import type { AssembledSessionOptions, LiveSession, SessionHost } from '@robota-sdk/agent-sdk';
import { transcriptFormats } from '@robota-sdk/agent-transcript';
import type { RemoteServer } from '../client/remote-server.ts';
import type { ListQueryRequest } from '../list-protocol.ts';
import { SessionGateway } from '../live/session-gateway.ts';
import type { AcpSessionSource, EditorOptions, ListedSession } from './session-source.ts';

/** How a host's sessions are served to an editor. */
export interface HostSourceOptions {
  readonly host: SessionHost;
  /** Agent of new sessions; `robota` by default. */
  readonly agent?: string | undefined;
  readonly deleteSession?: ((id: string) => Promise<void> | void) | undefined;
}

/** Sessions run by this process. */
export function hostSource(options: HostSourceOptions): AcpSessionSource {
  const { host, agent, deleteSession } = options;
  const isOwn = agent === undefined || agent === 'robota';
  const gateway = new SessionGateway({ host, deleteSession });
  return {
    takesImages: takesImages(agent),
    takesServers: isOwn,
    create: ({ sessionId, cwd, ...rest }) =>
      host.create({ sessionId, cwd, agent, ...engineOptions(rest) }),
    open: (sessionId, rest) => host.open(sessionId, engineOptions(rest)),
    list: (cwd) => host.list(cwd),
    close: ({ sessionId }) => host.close(sessionId, 'other'),
    ...(deleteSession && { remove: (sessionId) => gateway.remove(sessionId) }),
  };
}

/** The attached session; its owner ends it. */
export function attachedSource(session: LiveSession): AcpSessionSource {
  const gateway = new SessionGateway({});
  gateway.attach(session);
  return {
    takesImages: session.getCapabilities().images,
    takesServers: false,
    create: async () => session,
    open: (sessionId) => gateway.open(sessionId),
    list: () => gateway.list(),
    close: async () => undefined,
  };
}

/** Sessions of a running server; the editor is one of its surfaces. */
export function serverSource(server: RemoteServer, agent?: string): AcpSessionSource {
  return {
    takesImages: takesImages(agent),
    takesServers: false,
    async create({ sessionId, cwd }) {
      const id = await server.createSession({ session_id: sessionId, cwd, agent });
      return server.openSession(id);
    },
    open: async (sessionId) => server.openSession(sessionId),
    list: (cwd) => listServed(server, { agent: agent ?? 'robota', here: cwd }),
    close: (session) => session.shutdown(),
    leave: (session) => session.shutdown(),
    remove: (sessionId) => server.deleteSession(sessionId),
  };
}

/** Editors ask for capabilities before a session exists, so the answer comes from the agent's format. */
function takesImages(agent = 'robota'): boolean {
  const format = transcriptFormats().find(({ name }) => name === agent);
  return agent === 'robota' || format?.takesImages === true;
}

/** Reads all pages of the server's list. */
async function listServed(
  server: RemoteServer,
  query: ListQueryRequest,
): Promise<readonly ListedSession[]> {
  const listed: ListedSession[] = [];
  let cursor: string | undefined;
  do {
    const page = await server.listSessions({ ...query, limit: 500, cursor });
    for (const { id, cwd = '', title, updated_at: updatedAt } of page.sessions) {
      listed.push({ id, cwd, name: title, updatedAt });
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return listed;
}

function engineOptions(options: EditorOptions): Partial<AssembledSessionOptions> {
  const { mcpServers, additionalDirectories, aroundSandbox } = options;
  return {
    ...(Object.keys(mcpServers).length > 0 && { mcpServers }),
    ...(aroundSandbox && { aroundSandbox }),
    ...(additionalDirectories.length > 0 && {
      settings: { permissions: { additionalDirectories } },
    }),
  };
}
