import { homedir } from 'node:os';
import type { AgentArchitectureType } from '../architecture-type.ts';
import { claudeSessionFinder } from './claude-agent-sdk/find-sessions.ts';
import { codexSessionFinder } from './codex/find-sessions.ts';
import { hasTranscriptFormat } from './formats.ts';
import { geminiSessionFinder } from './gemini-cli/find-sessions.ts';
import type { FinderPlace, FoundTranscript, SessionFinder } from './session-finder.ts';

export interface FindOptions extends Partial<FinderPlace> {
  /** Only these agents; all foreign ones when left out. */
  readonly agents?: readonly string[] | undefined;
}

/** The register of finders: programs that keep their sessions on this machine by themselves. */
const FINDERS: ReadonlyMap<AgentArchitectureType, SessionFinder> = new Map([
  ['claude-agent-sdk', claudeSessionFinder],
  ['gemini-cli', geminiSessionFinder],
  ['codex', codexSessionFinder],
]);

/** Sessions of foreign agent programs, one after another as they are found. */
export async function* findAgentSessions(
  options: FindOptions = {},
): AsyncGenerator<FoundTranscript> {
  const { agents, home = homedir(), environment = process.env } = options;
  for (const [type, finder] of FINDERS) {
    if (agents === undefined || agents.includes(type)) yield* finder.find({ home, environment });
  }
}

export function isAgentArchitecture(name: string): name is AgentArchitectureType {
  return hasTranscriptFormat(name) || FINDERS.has(name as AgentArchitectureType);
}

export function resumeCommand(type: AgentArchitectureType, sessionId: string): readonly string[] {
  const finder = FINDERS.get(type);
  if (!finder) throw new Error(`Sessions of ${type} are not resumed by a program of their own`);
  return finder.resumeCommand(sessionId);
}
