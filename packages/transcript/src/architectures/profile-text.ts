import type { ProfileMcpServer } from '../agent-sandbox/agent-profile.ts';

/** A Markdown text with its fields in front; a text that has fields of its own is left as it is. */
export function withFrontMatter(
  fields: Readonly<Record<string, string | undefined>>,
  text: string,
): string {
  if (/^---\r?\n/.test(text)) return text;
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    // A JSON string is a YAML string, whatever characters it holds.
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return lines.length === 0 ? text : `---\n${lines.join('\n')}\n---\n\n${text}`;
}

/** Servers as most programs write them: by name, told apart by `command` or `url`. */
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

/** The instructions of a profile for programs that take no system prompt of ours. */
export function instructionsOf(profile: {
  readonly systemPrompt?: string;
  readonly agentMDFile?: string;
}): string | undefined {
  const parts = [profile.systemPrompt, profile.agentMDFile].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}
