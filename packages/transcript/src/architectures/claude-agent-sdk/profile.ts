import { join } from 'node:path';
import type { AgentHome } from '../../agent-sandbox/agent-home.ts';
import type { AgentProfile, ProfileSubagent } from '../../agent-sandbox/agent-profile.ts';
import type { RawTranscripts } from '../../parsed-transcript.ts';
import type { AgentPaths } from '../agent-architecture-adapter.ts';
import type { SetupFile } from '../agent-program.ts';
import { mcpServersByName, withFrontMatter } from '../profile-text.ts';

/** `~/.claude`, with one transcript folder per workspace. */
export function claudePaths({ homeDirectory, workspaceDirectory }: AgentHome): AgentPaths {
  const folder = join(homeDirectory, '.claude');
  return {
    AGENT_STORAGE_DIR: join(folder, 'projects', projectFolder(workspaceDirectory)),
    WORKSPACE_DIR: workspaceDirectory,
    AGENT_PROFILE_DIR: folder,
    AGENT_MD_FILE: join(folder, 'CLAUDE.md'),
  };
}

export function claudeProfileFiles(profile: AgentProfile, paths: AgentPaths): readonly SetupFile[] {
  const folder = paths.AGENT_PROFILE_DIR;
  const { agentMDFile, skills = [], subagents = [], commands = [], mcpServers = [] } = profile;
  const files: SetupFile[] = [];
  if (agentMDFile !== undefined) files.push({ path: paths.AGENT_MD_FILE, content: agentMDFile });
  for (const { name, description, skillMd, supportingFiles = [] } of skills) {
    const place = join(folder, 'skills', name);
    const content = withFrontMatter({ name, description }, skillMd);
    files.push({ path: join(place, 'SKILL.md'), content });
    for (const file of supportingFiles) {
      files.push({ path: join(place, file.relativePath), content: file.content });
    }
  }
  for (const agent of subagents) {
    files.push({ path: join(folder, 'agents', `${agent.name}.md`), content: agentText(agent) });
  }
  for (const { name, description, prompt } of commands) {
    const content = withFrontMatter({ description }, prompt);
    files.push({ path: join(folder, 'commands', `${name}.md`), content });
  }
  if (mcpServers.length > 0) {
    const content = { mcpServers: mcpServersByName(mcpServers) };
    files.push({ path: claudeMcpFile(paths), content: `${JSON.stringify(content, null, 2)}\n` });
  }
  return files;
}

/** MCP servers of the profile, in a separate file because the program rewrites its settings. */
export function claudeMcpFile(paths: AgentPaths): string {
  return join(paths.AGENT_PROFILE_DIR, 'robota-mcp.json');
}

export function claudeTranscriptFiles(
  sessionId: string,
  { main, subagents = [] }: RawTranscripts,
  paths: AgentPaths,
): readonly SetupFile[] {
  const folder = join(paths.AGENT_STORAGE_DIR, sessionId, 'subagents');
  const files: SetupFile[] = [];
  if (main !== undefined) files.push({ path: claudeMainFile(sessionId, paths), content: main });
  for (const { id, transcript, meta } of subagents) {
    const stem = join(folder, `agent-${id.replace(/^agent-/, '')}`);
    if (transcript !== undefined) files.push({ path: `${stem}.jsonl`, content: transcript });
    if (meta !== undefined) files.push({ path: `${stem}.meta.json`, content: meta });
  }
  return files;
}

export function claudeMainFile(sessionId: string, paths: AgentPaths): string {
  return join(paths.AGENT_STORAGE_DIR, `${sessionId}.jsonl`);
}

/** The program's own rule: other characters become `-`, and long names end in a hash of the path. */
function projectFolder(workspace: string): string {
  const name = workspace.replace(/[^A-Za-z0-9]/g, '-');
  if (name.length <= MAX_NAME_LENGTH) return name;
  let hash = 0;
  for (let index = 0; index < workspace.length; index++) {
    hash = Math.trunc(((hash << 5) - hash + workspace.charCodeAt(index)) | 0);
  }
  return `${name.slice(0, MAX_NAME_LENGTH)}-${Math.abs(hash).toString(36)}`;
}

function agentText({ name, description, prompt, model, tools }: ProfileSubagent): string {
  return withFrontMatter({ name, description, model, tools: tools?.join(', ') }, prompt);
}

const MAX_NAME_LENGTH = 200;
