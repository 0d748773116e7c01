import { randomUUID } from 'node:crypto';
import type { RawTranscripts } from '../parsed-transcript.ts';
import { AgentSessionNotFoundError } from '../persistence/errors.ts';
import { assertSavedSessionId } from '../persistence/session-id.ts';
import type { TranscriptPersistence } from '../persistence/transcript-persistence.ts';
import type { SavedSessionData } from '../session-data.ts';
import type { AgentSessionOptions } from './session-options.ts';

/** A saved session, and the session it was forked from until it has a transcript of its own. */
export interface OpenedAgentSession {
  readonly saved: SavedSessionData;
  readonly origin: SavedSessionData | undefined;
}

/** Where a session is opened. */
export interface OpeningPlace {
  readonly sessionId: string;
  readonly persistence: TranscriptPersistence;
  /** Saved with a new session, so that it can be found from this directory. */
  readonly workspaceDirectory: string;
}

/** Loads the session the options name, or creates its record. */
export async function openSavedAgent(
  options: AgentSessionOptions,
  place: OpeningPlace,
): Promise<OpenedAgentSession> {
  const { sessionId, persistence, workspaceDirectory } = place;
  if ('forkOf' in options) return createFork(options.forkOf, place);
  if (!('architecture' in options)) return loadSaved(sessionId, persistence);
  const fresh = freshSession({
    sessionId,
    type: options.architecture,
    agentProfileReference: options.agentProfileRef,
  });
  const saved = { ...fresh, metadata: { workspaceDirectory } };
  await persistence.createSessionRecord(recordOf(saved));
  return { saved, origin: undefined };
}

export function chooseSessionId(options: AgentSessionOptions): string {
  const sessionId = options.sessionId ?? randomUUID();
  assertSavedSessionId(sessionId);
  return sessionId;
}

export function transcriptsOf(saved: SavedSessionData): RawTranscripts {
  return {
    main: saved.rawTranscript,
    subagents: saved.subagents?.map(({ id, rawTranscript, rawMeta }) => ({
      id,
      transcript: rawTranscript,
      meta: rawMeta,
    })),
  };
}

/** The program's own id of the session; programs that choose one report it in the first turn. */
export function agentSessionIdOf({ sessionId, metadata }: SavedSessionData): string {
  const chosen = metadata?.agentSessionId;
  return typeof chosen === 'string' ? chosen : sessionId;
}

async function loadSaved(
  sessionId: string,
  persistence: TranscriptPersistence,
): Promise<OpenedAgentSession> {
  const saved = await load(sessionId, persistence);
  const forkOf = saved.metadata?.forkOf;
  const isUntouched = saved.rawTranscript === undefined && typeof forkOf === 'string';
  return { saved, origin: isUntouched ? await load(forkOf, persistence) : undefined };
}

async function createFork(
  forkOf: string,
  { sessionId, persistence, workspaceDirectory }: OpeningPlace,
): Promise<OpenedAgentSession> {
  const origin = await load(forkOf, persistence);
  const { type, agentProfileReference, workspaceFiles } = origin;
  const fresh = freshSession({ sessionId, type, agentProfileReference });
  const saved = { ...fresh, workspaceFiles, metadata: { forkOf, workspaceDirectory } };
  await persistence.createSessionRecord(recordOf(saved));
  for (const file of workspaceFiles) await persistence.saveWorkspaceFile(sessionId, file);
  return { saved, origin };
}

async function load(
  sessionId: string,
  persistence: TranscriptPersistence,
): Promise<SavedSessionData> {
  const saved = await persistence.loadSession(sessionId);
  if (saved === null) throw new AgentSessionNotFoundError(sessionId);
  return saved;
}

function freshSession(
  identity: Pick<SavedSessionData, 'sessionId' | 'type' | 'agentProfileReference'>,
): SavedSessionData {
  const now = Date.now();
  return {
    ...identity,
    status: 'pending',
    createdAt: now,
    lastActivity: now,
    workspaceFiles: [],
  };
}

function recordOf({ rawTranscript, subagents, workspaceFiles, ...record }: SavedSessionData) {
  return record;
}
