import { join } from 'node:path';
import type { AgentHome } from '../../agent-sandbox/agent-home.ts';
import type { AgentProfile, ProfileMcpServer } from '../../agent-sandbox/agent-profile.ts';
import { asRecord, asString } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import type { RawTranscripts } from '../../parsed-transcript.ts';
import type { AgentPaths } from '../agent-architecture-adapter.ts';
import type { SetupFile } from '../agent-program.ts';
import { instructionsOf, withFrontMatter } from '../profile-text.ts';

/** `~/.codex`, with transcripts in folders by day. */
export function codexPaths({ homeDirectory, workspaceDirectory }: AgentHome): AgentPaths {
  const folder = join(homeDirectory, '.codex');
  return {
    AGENT_STORAGE_DIR: join(folder, 'sessions'),
    WORKSPACE_DIR: workspaceDirectory,
    AGENT_PROFILE_DIR: folder,
    AGENT_MD_FILE: join(folder, 'AGENTS.md'),
  };
}

/** Codex has no agent files, so subagents become skills. */
export function codexProfileFiles(profile: AgentProfile, paths: AgentPaths): readonly SetupFile[] {
  const folder = paths.AGENT_PROFILE_DIR;
  const { skills = [], subagents = [], commands = [], mcpServers = [] } = profile;
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
  for (const { name, description, prompt } of subagents) {
    const content = withFrontMatter({ name, description }, prompt);
    files.push({ path: join(folder, 'skills', name, 'SKILL.md'), content });
  }
  for (const { name, description, prompt } of commands) {
    const content = withFrontMatter({ description }, prompt);
    files.push({ path: join(folder, 'prompts', `${name}.md`), content });
  }
  if (mcpServers.length > 0) {
    files.push({ path: join(folder, 'config.toml'), content: mcpServers.map(toToml).join('\n') });
  }
  return files;
}

/** All rollouts go into the folder of the date in their first line. */
export function codexTranscriptFiles(
  sessionId: string,
  { main, subagents = [] }: RawTranscripts,
  paths: AgentPaths,
): readonly SetupFile[] {
  const all = [{ id: sessionId, transcript: main }, ...subagents];
  return all.flatMap(({ id, transcript }) =>
    transcript === undefined
      ? []
      : [{ path: join(paths.AGENT_STORAGE_DIR, rolloutName(id, transcript)), content: transcript }],
  );
}

/** `2026/11/15/rollout-2026-11-15T21-20-00-<id>.jsonl`; a rollout without a date goes into the root, as in the first version. */
function rolloutName(id: string, transcript: string): string {
  const first = parseLine(transcript.slice(0, transcript.indexOf('\n')));
  const record = typeof first === 'object' ? first : {};
  const time = asString(asRecord(record.payload ?? record).timestamp) ?? asString(record.timestamp);
  if (time === undefined) return `rollout-1970-01-01T00-00-00-${id}.jsonl`;
  const seconds = time.slice(0, 19).replaceAll(':', '-');
  return `${time.slice(0, 10).replaceAll('-', '/')}/rollout-${seconds}-${id}.jsonl`;
}

/** JSON strings are valid TOML strings. */
function toToml(server: ProfileMcpServer): string {
  const lines = [`[mcp_servers.${JSON.stringify(server.name)}]`];
  if ('url' in server) {
    lines.push(`url = ${JSON.stringify(server.url)}`, ...tomlTable('http_headers', server.headers));
  } else {
    lines.push(`command = ${JSON.stringify(server.command)}`);
    lines.push(`args = ${JSON.stringify(server.args ?? [])}`, ...tomlTable('env', server.env));
  }
  return `${lines.join('\n')}\n`;
}

function tomlTable(name: string, values: Readonly<Record<string, string>> | undefined): string[] {
  if (values === undefined) return [];
  const entries = Object.entries(values).map(
    ([key, value]) => `${JSON.stringify(key)} = ${JSON.stringify(value)}`,
  );
  return [`${name} = { ${entries.join(', ')} }`];
}
