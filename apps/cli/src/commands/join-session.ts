import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RemoteSession } from '@robota-sdk/agent-transport/client';

/** URL and token of a server. */
export interface JoinAddress {
  readonly url: string;
  readonly token: string | undefined;
}

/** Joins a session held by another process of this user, directly or through the server; undefined if none holds it. */
export async function joinElsewhere(id: string): Promise<RemoteSession | undefined> {
  const { findServer, joinSocketSession } = await import('@robota-sdk/agent-transport/run');
  const joined = await joinSocketSession(id, { surface: terminalSurface() });
  if (joined) return joined;
  const server = findServer();
  return server && joinAt(addressOf(server), id);
}

/** Joins a session on a server; rejects if the server refuses. */
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

/** Undefined if there is no token file; the server then reports that a token is required. */
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
