import type { ProfileMcpServer } from '../agent-sandbox/agent-profile.ts';

/** Adds front matter to a Markdown text; a text that already has front matter is returned unchanged. */
export function withFrontMatter(
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

/** The servers in the common settings format: by name, with either `command` or `url`. */
export function mcpServersByName(
  servers: readonly ProfileMcpServer[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    servers.map(({ name, ...server }) => [
      name,
      'url' in server ? { type: 'http', ...server } : server,
    ]),
  );
}

/** The instructions of a profile for programs that accept no system prompt. */
export function instructionsOf(profile: {
  readonly systemPrompt?: string;
  readonly agentMDFile?: string;
}): string | undefined {
  const parts = [profile.systemPrompt, profile.agentMDFile].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}
