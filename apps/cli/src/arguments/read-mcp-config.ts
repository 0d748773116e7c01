import { readFileSync } from 'node:fs';
import type { McpServerSetting } from '@robota-sdk/agent-sdk';
import { UsageError } from '../usage-error.ts';

/** The servers of every `--mcp-config`, each a file or inline JSON; the last one of a name wins. */
export function readMcpConfigs(
  given: readonly string[],
): Readonly<Record<string, McpServerSetting>> | undefined {
  if (given.length === 0) return undefined;
  return Object.assign({}, ...given.map(serversOf));
}

function serversOf(given: string): Readonly<Record<string, McpServerSetting>> {
  const isJson = given.trimStart().startsWith('{');
  const source = isJson ? 'The value of --mcp-config' : given;
  const parsed = parse(isJson ? given : readText(given), source);
  const servers = (parsed as { readonly mcpServers?: unknown } | null)?.mcpServers;
  if (typeof servers === 'object' && servers !== null && !Array.isArray(servers)) {
    return servers as Readonly<Record<string, McpServerSetting>>;
  }
  throw new UsageError(`${source} has no object "mcpServers".`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read --mcp-config ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source} is not valid JSON (${(error as Error).message}).`, {
      cause: error,
    });
  }
}
