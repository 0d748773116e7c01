import { join } from 'node:path';
import { assertSessionId } from '@robota-sdk/agent-session';
import type { AgentHome, AgentPaths } from '@robota-sdk/agent-transcript/architectures';
import { homeDirectory as ownHome, robotaHome } from '../paths.ts';

/** `~/.robota` of the given home, or `ROBOTA_HOME`. It holds the instructions too, so a project keeps its AGENTS.md. */
export function robotaAgentPaths({ homeDirectory, workspaceDirectory }: AgentHome): AgentPaths {
  const folder = homeDirectory === ownHome() ? robotaHome() : join(homeDirectory, '.robota');
  return {
    AGENT_STORAGE_DIR: join(folder, 'logs'),
    WORKSPACE_DIR: workspaceDirectory,
    AGENT_PROFILE_DIR: folder,
    AGENT_MD_FILE: join(folder, 'AGENTS.md'),
  };
}

export function mainLogFile(logs: string, sessionId: string): string {
  assertSessionId(sessionId);
  return join(logs, `${sessionId}.jsonl`);
}

export function subagentLogFolder(logs: string, sessionId: string): string {
  assertSessionId(sessionId);
  return join(logs, sessionId, 'subagents');
}

/** The file for the servers of a profile, next to the user's settings. */
export function profileMcpFile(paths: AgentPaths): string {
  return join(paths.AGENT_PROFILE_DIR, 'mcp.json');
}
