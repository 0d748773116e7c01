import type { McpServerConfig } from '@robota-sdk/agent-tools';
import { readSettingsText } from '../config/read-settings-text.ts';
import type { McpServerSetting } from '../config/settings.ts';

/** A configured server and where it was configured. */
export interface ConfiguredServer {
  readonly name: string;
  readonly setting: McpServerSetting;
  readonly source: string;
}

/** The servers of a `.mcp.json`; empty when there is no file, an error that names it when it is invalid. */
export async function readMcpFile(file: string, root?: string): Promise<ConfiguredServer[]> {
  const text = readSettingsText(file, { root });
  if (text === null) return [];
  if (typeof text !== 'string') throw new Error(`${file} ${text.problem}`);
  const servers = (parseJson(text, file) as { mcpServers?: unknown } | null)?.mcpServers;
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) {
    throw new Error(`${file} has no object "mcpServers"`);
  }
  return configuredServers(servers as Readonly<Record<string, McpServerSetting>>, file);
}

export function configuredServers(
  servers: Readonly<Record<string, McpServerSetting>> = {},
  source: string,
): ConfiguredServer[] {
  return Object.entries(servers).map(([name, setting]) => ({ name, setting, source }));
}

/** Expands `${NAME}` and `${NAME:-default}` in a setting. Throws when it describes no usable server. */
export function serverConfig(
  { name, setting: written, source }: ConfiguredServer,
  surroundings: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): McpServerConfig {
  if (typeof written !== 'object' || written === null) {
    throw new Error(`the server "${name}" of ${source} is not an object`);
  }
  const setting = fillVariables(written, { ...process.env, ...surroundings.env });
  const { command, url, args, headers, type } = setting;
  if (typeof command === 'string') {
    const env = { ...surroundings.env, ...setting.env };
    return { name, command, ...(args && { args }), env, cwd: surroundings.cwd };
  }
  if (typeof url !== 'string') {
    throw new Error(`the server "${name}" of ${source} has neither command nor url`);
  }
  if (type !== undefined && type !== 'http' && type !== 'streamable-http' && type !== 'sse') {
    throw new Error(
      `the server "${name}" of ${source} has the type "${type}"; stdio, http and sse work`,
    );
  }
  return { name, type: type === 'sse' ? 'sse' : 'http', url, ...(headers && { headers }) };
}

function fillVariables<Value>(value: Value, env: NodeJS.ProcessEnv): Value {
  if (typeof value === 'string') {
    return value.replaceAll(
      /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
      (matched, name: string, fallback?: string) => env[name] ?? fallback ?? matched,
    ) as Value;
  }
  if (Array.isArray(value)) return value.map((item) => fillVariables<unknown>(item, env)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, fillVariables(item, env)]);
  return Object.fromEntries(entries) as Value;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON (${(error as Error).message})`, { cause: error });
  }
}
