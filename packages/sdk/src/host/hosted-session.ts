import type { SessionRecordStore, SessionSummary } from '@robota-sdk/agent-session';
import type { Session as StoredSession } from '@robota-sdk/agent-store';
import type { LiveSession } from '../live/live-session.ts';
import { cardOf } from './session-card.ts';

/** A session as a list shows it. */
export interface HostedSession {
  readonly id: string;
  /** What people call the agent. */
  readonly agent: string;
  readonly nativeId?: string;
  readonly name?: string;
  readonly cwd: string;
  readonly updatedAt?: string;
  readonly messageCount: number;
  readonly preview?: string;
  /** Open in this process. */
  readonly isLive: boolean;
  readonly isExecuting: boolean;
  /** Where it stands in its life, and who is connected, where that is known. */
  readonly state?: StoredSession['state'];
  readonly surfaces?: readonly string[];
  readonly userId?: string;
}

export function describeLive(session: LiveSession): HostedSession {
  const name = session.getName();
  const { nativeId } = session;
  return {
    id: session.sessionId,
    agent: session.agent,
    ...(nativeId !== undefined && { nativeId }),
    ...(name !== undefined && { name }),
    cwd: session.getCwd() ?? '',
    messageCount: session.getMessageCount(),
    isLive: true,
    isExecuting: session.isExecuting(),
  };
}

/** A session of which nothing but its card is known here. */
export function describeStored(stored: StoredSession): HostedSession | undefined {
  const card = cardOf(stored);
  if (!card) return undefined;
  const { agent, name, nativeId, cwd } = card;
  return {
    id: stored.id,
    agent,
    ...(nativeId !== undefined && { nativeId }),
    ...(name !== undefined && { name }),
    cwd,
    updatedAt: stored.lastActivityAt,
    messageCount: 0,
    isLive: false,
    isExecuting: false,
  };
}

/** What the store knows of a session, added to what is known of it here. */
export function withStored(
  listed: HostedSession,
  stored: StoredSession | undefined,
): HostedSession {
  if (!stored) return listed;
  const { state, attachedSurfaces: surfaces, userId, lastActivityAt } = stored;
  return { updatedAt: lastActivityAt, ...listed, state, surfaces, userId };
}

/** Sessions of our own engine that are saved. */
export async function listSaved(
  store: SessionRecordStore | undefined,
): Promise<readonly HostedSession[]> {
  if (!store) return [];
  const quick = store as { listSummaries?: () => SessionSummary[] };
  const summaries = quick.listSummaries?.() ?? (await summarize(store));
  return summaries.map((summary) => ({
    ...summary,
    agent: 'robota',
    isLive: false,
    isExecuting: false,
  }));
}

async function summarize(store: SessionRecordStore): Promise<readonly SessionSummary[]> {
  const records = await store.list();
  return records.map(({ id, name, cwd, createdAt, updatedAt, messages }) => ({
    id,
    ...(name !== undefined && { name }),
    cwd,
    createdAt,
    updatedAt,
    messageCount: messages.length,
    preview: '',
  }));
}
