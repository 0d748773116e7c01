import { join } from 'node:path';
import { assertSessionId } from '@robota-sdk/agent-session';
import type { AgentHome, AgentPaths } from '@robota-sdk/agent-transcript/architectures';
import { homeDirectory as ownHome, robotaHome } from '../paths.ts';

/** `~/.robota` of the given home; in the user's own, wherever the user has moved it. The instructions lie there too, so that a project keeps its own AGENTS.md. */
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

/** Servers of a profile; a file of our own beside the user's settings. */
export function profileMcpFile(paths: AgentPaths): string {
  return join(paths.AGENT_PROFILE_DIR, 'mcp.json');
}
