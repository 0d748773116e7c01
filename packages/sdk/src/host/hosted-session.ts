import type { SessionRecordStore, SessionSummary } from '@robota-sdk/agent-session';
import type { Session as StoredSession } from '@robota-sdk/agent-store';
import type { LiveSession } from '../live/live-session.ts';
import { cardOf } from './session-card.ts';

/** A session as a list shows it. */
export interface HostedSession {
  readonly id: string;
  /** The agent's name as users write it. */
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
  /** Lifecycle state and attached surfaces, if the store knows the session. */
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

/** Describes a session from its card alone; undefined without one. */
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

/** Adds the store's state, surfaces and owner. */
export function withStored(
  listed: HostedSession,
  stored: StoredSession | undefined,
): HostedSession {
  if (!stored) return listed;
  const { state, attachedSurfaces: surfaces, userId, lastActivityAt } = stored;
  return { updatedAt: lastActivityAt, ...listed, state, surfaces, userId };
}

/** Saved sessions of our own engine. */
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
