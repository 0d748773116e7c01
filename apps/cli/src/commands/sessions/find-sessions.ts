import { listSessionSummaries, SessionNotFoundError } from '@robota-sdk/agent-sdk';
import type { FoundSession } from './found-session.ts';

export interface SessionScope {
  /** Only sessions of this directory. */
  readonly cwd: string | undefined;
  /** Only sessions of these agents; all when undefined. */
  readonly agents: readonly string[] | undefined;
}

/** Sessions in parts: our own first, which are indexed, then those of each foreign program as they are found. */
export async function* findSessions(scope: SessionScope): AsyncGenerator<FoundSession[]> {
  if (scope.agents === undefined || scope.agents.includes('robota')) yield ownSessions(scope.cwd);
  const { findAgentSessions } = await import('@robota-sdk/agent-transcript/architectures');
  for await (const session of findAgentSessions({ agents: scope.agents })) {
    if (scope.cwd !== undefined && session.cwd !== scope.cwd) continue;
    yield [{ ...session, agent: session.type, name: undefined, messageCount: undefined }];
  }
}

/** All of them, newest first. */
export async function collectSessions(scope: SessionScope): Promise<FoundSession[]> {
  const found: FoundSession[] = [];
  for await (const part of findSessions(scope)) found.push(...part);
  return found.sort((left, right) => right.updatedAt - left.updatedAt);
}

/** The session meant by an id, the beginning of one, or a name; our own go first. */
export async function findSession(reference: string): Promise<FoundSession> {
  for await (const part of findSessions({ cwd: undefined, agents: undefined })) {
    const found = only(reference, part);
    if (found) return found;
  }
  throw new SessionNotFoundError(reference);
}

function only(reference: string, sessions: readonly FoundSession[]): FoundSession | undefined {
  const exact = sessions.find(({ id, name }) => id === reference || name === reference);
  if (exact || reference.length < 8) return exact;
  const begun = sessions.filter(({ id }) => id.startsWith(reference));
  return begun.length === 1 ? begun[0] : undefined;
}

function ownSessions(cwd: string | undefined): FoundSession[] {
  return listSessionSummaries({ cwd }).map((summary) => ({
    agent: 'robota',
    id: summary.id,
    name: summary.name,
    cwd: summary.cwd,
    preview: summary.preview,
    updatedAt: Date.parse(summary.updatedAt),
    messageCount: summary.messageCount,
    path: undefined,
  }));
}
