import { homedir } from 'node:os';
import type { AgentArchitectureType } from '../architecture-type.ts';
import { registeredAgent, registeredAgents } from './agents.ts';
import type { FinderPlace, FoundTranscript } from './session-finder.ts';

/** Where sessions are looked for. */
export interface FindOptions extends Partial<FinderPlace> {
  /** Only these agents, by type or name; all foreign ones by default. */
  readonly agents?: readonly string[] | undefined;
}

/** Sessions of foreign agents, yielded as they are found. */
export async function* findAgentSessions(
  options: FindOptions = {},
): AsyncGenerator<FoundTranscript> {
  const place = placeOf(options);
  for (const finder of findersOf(options)) yield* finder.find(place);
}

/** Transcripts of foreign agents whose session is gone, but whose cost still counts. */
export async function* findOrphanTranscripts(
  options: FindOptions = {},
): AsyncGenerator<FoundTranscript> {
  const place = placeOf(options);
  for (const finder of findersOf(options)) {
    if (finder.findOrphans !== undefined) yield* finder.findOrphans(place);
  }
}

/** The path of a session's transcript; `undefined` when the agent has no session with that id. */
export async function locateTranscript(
  type: AgentArchitectureType,
  sessionId: string,
  options: Partial<FinderPlace> = {},
): Promise<string | undefined> {
  const { finder } = registeredAgent(type);
  const place = placeOf(options);
  if (finder?.locate !== undefined) return finder.locate(place, sessionId);
  for await (const { id, path } of finder?.find(place) ?? []) if (id === sessionId) return path;
  return undefined;
}

/** The command with which a user continues a session. */
export function resumeCommand(type: AgentArchitectureType, sessionId: string): readonly string[] {
  const { finder, title } = registeredAgent(type);
  if (!finder) throw new Error(`Sessions of ${title} are not resumed by a program of their own`);
  return finder.resumeCommand(sessionId);
}

function findersOf({ agents }: FindOptions) {
  return registeredAgents().flatMap(({ type, name, finder }) => {
    const isWanted = agents === undefined || agents.includes(type) || agents.includes(name);
    return isWanted && finder !== undefined ? [finder] : [];
  });
}

function placeOf({ home = homedir(), environment = process.env }: Partial<FinderPlace>) {
  return { home, environment };
}
