import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentHome } from '../../agent-sandbox/agent-home.ts';
import type { AgentPaths } from '../agent-architecture-adapter.ts';
import type { FinderPlace } from '../session-finder.ts';
import type { TranscriptLayout } from '../transcript-layout.ts';

/** One file per session. */
export const acpTranscriptLayout: TranscriptLayout = {
  findSubagentFiles: async () => [],
  foldersToWatch: async (path) => [join(path, '..')],
};

/** `~/.robota/acp/<agent>`; `ROBOTA_HOME` overrides the root. */
export function acpLogFolder({ home, environment }: FinderPlace, agent: string): string {
  return join(environment.ROBOTA_HOME || join(home, '.robota'), 'acp', agent);
}

export function acpPaths(
  { homeDirectory, workspaceDirectory }: AgentHome,
  agent: string,
): AgentPaths {
  const environment = homeDirectory === homedir() ? process.env : {};
  const folder = acpLogFolder({ home: homeDirectory, environment }, agent);
  return {
    AGENT_STORAGE_DIR: folder,
    WORKSPACE_DIR: workspaceDirectory,
    AGENT_PROFILE_DIR: folder,
    AGENT_MD_FILE: join(workspaceDirectory, 'AGENTS.md'),
  };
}

/** The path of our log of a session, by the agent's session id. */
export function acpTranscriptPath(home: AgentHome, agent: string, sessionId: string): string {
  return join(acpPaths(home, agent).AGENT_STORAGE_DIR, acpLogName(sessionId));
}

/** Encoded, because agents may use any characters in session ids. */
export function acpLogName(sessionId: string): string {
  return `${encodeURIComponent(sessionId).replaceAll('.', '%2E')}.jsonl`;
}
