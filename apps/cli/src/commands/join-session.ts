import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RemoteSession } from '@robota-sdk/agent-transport/client';

/** Where a server is, and the token for it. */
export interface JoinAddress {
  readonly url: string;
  readonly token: string | undefined;
}

/** Joins a session that another process of this user holds, directly or through the server; undefined when none does. */
export async function joinElsewhere(id: string): Promise<RemoteSession | undefined> {
  const { findServer, joinSocketSession } = await import('@robota-sdk/agent-transport/run');
  const joined = await joinSocketSession(id, { surface: terminalSurface() });
  if (joined) return joined;
  const server = findServer();
  return server && joinAt(addressOf(server), id);
}

/** The session on a server; rejects when the server refuses. */
export async function joinAt(
  { url, token }: JoinAddress,
  sessionId: string,
): Promise<RemoteSession> {
  const { RemoteSession: Client } = await import('@robota-sdk/agent-transport/client');
  const { WebSocket } = await import('ws');
  const session = new Client({ url, token, sessionId, surface: terminalSurface(), WebSocket });
  try {
    await session.whenReady();
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}

export function addressOf(server: {
  readonly url: string;
  readonly tokenPath: string;
}): JoinAddress {
  return { url: server.url, token: tokenIn(server.tokenPath) };
}

/** Undefined where there is none; then the server says that one is needed. */
export function tokenIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function terminalSurface(): string {
  return `terminal:${randomUUID()}`;
}
