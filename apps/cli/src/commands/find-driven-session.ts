import { type SessionListData, toAgentName } from '@robota-sdk/agent-transcript';

/** Among which sessions to look, newest first. */
export interface DrivenSessions {
  readonly sessions: readonly SessionListData[];
  /** The agent they belong to. */
  readonly type: string;
  readonly cwd: string;
}

/** A shorter id prefix is more likely a typo. */
const MIN_PREFIX_LENGTH = 4;

/** The newest session of this directory. */
export function latestDriven({ sessions, cwd }: DrivenSessions): SessionListData | undefined {
  return sessions.find(({ metadata }) => metadata?.workspaceDirectory === cwd);
}

/**
 * A session by `last`, by name, or by our id or the program's own, whole or its unique beginning; all but `last` also
 * after the agent's name and a colon.
 */
export function findDriven(reference: string, driven: DrivenSessions): SessionListData | undefined {
  const { sessions, type } = driven;
  if (reference === 'last') return latestDriven(driven);
  const prefix = `${toAgentName(type)}:`;
  const wanted = reference.startsWith(prefix) ? reference.slice(prefix.length) : reference;
  const exact = sessions.find(
    (session) => session.name === wanted || idsOf(session).includes(wanted),
  );
  if (exact || wanted.length < MIN_PREFIX_LENGTH) return exact;
  const similar = sessions.filter((session) => idsOf(session).some((id) => id.startsWith(wanted)));
  return similar.length === 1 ? similar[0] : undefined;
}

function idsOf({ sessionId, metadata }: SessionListData): readonly string[] {
  const native = metadata?.agentSessionId;
  return typeof native === 'string' ? [sessionId, native] : [sessionId];
}
