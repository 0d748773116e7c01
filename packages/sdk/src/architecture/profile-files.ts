import { join } from 'node:path';
import type {
  AgentPaths,
  AgentProfile,
  ProfileMcpServer,
} from '@robota-sdk/agent-transcript/architectures';
import { profileMcpFile } from './robota-paths.ts';

export interface ProfileFile {
  readonly path: string;
  readonly content: string;
}

/** The files that configure our engine as the profile says. */
export function profileFiles(profile: AgentProfile, paths: AgentPaths): readonly ProfileFile[] {
  const { agentMDFile, mcpServers = [] } = profile;
  const files = [...skillFiles(profile, paths), ...agentFiles(profile, paths)];
  if (agentMDFile !== undefined) files.push({ path: paths.AGENT_MD_FILE, content: agentMDFile });
  if (mcpServers.length > 0) {
    const content = `${JSON.stringify({ mcpServers: serversByName(mcpServers) }, null, 2)}\n`;
    files.push({ path: profileMcpFile(paths), content });
  }
  return files;
}

function skillFiles(
  { skills = [], commands = [] }: AgentProfile,
  paths: AgentPaths,
): ProfileFile[] {
  const folder = paths.AGENT_PROFILE_DIR;
  const files = skills.flatMap(({ name, description, skillMd, supportingFiles = [] }) => {
    const place = join(folder, 'skills', name);
    const content = withFrontMatter({ name, description }, skillMd);
    return [
      { path: join(place, 'SKILL.md'), content },
      ...supportingFiles.map((file) => ({
        path: join(place, file.relativePath),
        content: file.content,
      })),
    ];
  });
  for (const { name, description, prompt } of commands) {
    const content = withFrontMatter({ description }, prompt);
    files.push({ path: join(folder, 'commands', `${name}.md`), content });
  }
  return files;
}

function agentFiles({ subagents = [] }: AgentProfile, paths: AgentPaths): ProfileFile[] {
  return subagents.map(({ name, description, prompt, model, tools }) => ({
    path: join(paths.AGENT_PROFILE_DIR, 'agents', `${name}.md`),
    content: withFrontMatter({ name, description, model, tools: tools?.join(', ') }, prompt),
  }));
}

/** Text that already has frontmatter is left unchanged. */
function withFrontMatter(
  fields: Readonly<Record<string, string | undefined>>,
  text: string,
): string {
  if (/^---\r?\n/.test(text)) return text;
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    // Every JSON string is a valid YAML string.
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return lines.length === 0 ? text : `---\n${lines.join('\n')}\n---\n\n${text}`;
}

function serversByName(servers: readonly ProfileMcpServer[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    servers.map(({ name, ...server }) => [
      name,
      'url' in server ? { type: 'http', ...server } : server,
    ]),
  );
}
