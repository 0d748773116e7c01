import { join } from 'node:path';
import type { AgentHome } from '../../agent-sandbox/agent-home.ts';
import type { AgentProfile } from '../../agent-sandbox/agent-profile.ts';
import type { RawTranscripts } from '../../parsed-transcript.ts';
import type { AgentPaths } from '../agent-architecture-adapter.ts';
import type { SetupFile } from '../agent-program.ts';
import { instructionsOf, withFrontMatter } from '../profile-text.ts';

/** `~/.gemini`; chats are in `tmp/<name the program chooses for the workspace>/chats`. */
export function geminiPaths({ homeDirectory, workspaceDirectory }: AgentHome): AgentPaths {
  const folder = join(homeDirectory, '.gemini');
  return {
    AGENT_STORAGE_DIR: join(folder, 'tmp'),
    WORKSPACE_DIR: workspaceDirectory,
    AGENT_PROFILE_DIR: folder,
    AGENT_MD_FILE: join(folder, 'GEMINI.md'),
  };
}

export function geminiProfileFiles(profile: AgentProfile, paths: AgentPaths): readonly SetupFile[] {
  const folder = paths.AGENT_PROFILE_DIR;
  const { skills = [], subagents = [], commands = [] } = profile;
  const files: SetupFile[] = [];
  const instructions = instructionsOf(profile);
  if (instructions !== undefined) files.push({ path: paths.AGENT_MD_FILE, content: instructions });
  for (const { name, description, skillMd, supportingFiles = [] } of skills) {
    const place = join(folder, 'skills', name);
    const content = withFrontMatter({ name, description }, skillMd);
    files.push({ path: join(place, 'SKILL.md'), content });
    for (const file of supportingFiles) {
      files.push({ path: join(place, file.relativePath), content: file.content });
    }
  }
  for (const { name, description, prompt, model } of subagents) {
    const content = withFrontMatter({ name, description, model }, prompt);
    files.push({ path: join(folder, 'agents', `${name}.md`), content });
  }
  for (const { name, description, prompt } of commands) {
    const text = [
      ...(description === undefined ? [] : [`description = ${JSON.stringify(description)}`]),
      `prompt = ${JSON.stringify(prompt)}`,
    ];
    files.push({ path: join(folder, 'commands', `${name}.toml`), content: `${text.join('\n')}\n` });
  }
  return [...files, mcpFile(profile, paths)];
}

/** MCP servers of the profile, in the format of `session/new`. */
export function geminiMcpFile(paths: AgentPaths): string {
  return join(paths.AGENT_PROFILE_DIR, 'robota-mcp.json');
}

function mcpFile({ mcpServers = [] }: AgentProfile, paths: AgentPaths): SetupFile {
  const pairs = (values: Readonly<Record<string, string>> = {}) =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  const servers = mcpServers.map((server) =>
    'url' in server
      ? { type: 'http', name: server.name, url: server.url, headers: pairs(server.headers) }
      : {
          name: server.name,
          command: server.command,
          args: server.args ?? [],
          env: pairs(server.env),
        },
  );
  return { path: geminiMcpFile(paths), content: `${JSON.stringify(servers, null, 2)}\n` };
}

/** In a workspace the program does not know yet, the chat goes into the folder it would choose. */
export function geminiTranscriptFiles(
  sessionId: string,
  { main, subagents = [] }: RawTranscripts,
  paths: AgentPaths,
): readonly SetupFile[] {
  const chats = join(paths.AGENT_STORAGE_DIR, projectName(paths.WORKSPACE_DIR), 'chats');
  const files: SetupFile[] = [];
  if (main !== undefined) {
    files.push({ path: join(chats, chatName(sessionId)), content: main });
  }
  for (const { id, transcript } of subagents) {
    if (transcript === undefined) continue;
    files.push({ path: join(chats, sessionId, `${id}.jsonl`), content: transcript });
  }
  return files;
}

/**
 * A name that ends in the start of the id. Its time is an hour ago: the program overwrites a chat of the current minute
 * on resume, and deletes old chats on start.
 */
export function chatName(sessionId: string): string {
  const time = new Date(Date.now() - HOUR_MS).toISOString().slice(0, 16).replaceAll(':', '-');
  return `session-${time}-${sessionId.slice(0, 8)}.jsonl`;
}

export function projectName(workspace: string): string {
  const name = workspace.split('/').at(-1) ?? '';
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'project'
  );
}

const HOUR_MS = 3_600_000;
