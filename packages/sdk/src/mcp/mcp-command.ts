import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { CommandResult, SystemCommand } from '../commands/system-command.ts';
import { asFields, editSettings } from '../config/edit-settings.ts';
import { ownSettingsFiles } from '../config/remember-rule.ts';
import type { McpServerSetting } from '../config/settings.ts';
import { projectPaths } from '../paths.ts';
import type { McpPool, McpServerStatus } from './mcp-pool.ts';
import { type ConfiguredServer, serverConfig } from './mcp-servers.ts';

const USAGE =
  'Usage: mcp [list | reconnect <name> | add <name> <command or address> [arguments] | remove <name>]';

export interface McpCommandParts {
  readonly pool: McpPool;
  readonly context: ExtensionContext;
  readonly servers: readonly ConfiguredServer[];
}

/** Lists, reconnects, adds and removes MCP servers. */
export function mcpCommand(parts: McpCommandParts): SystemCommand {
  return {
    name: 'mcp',
    description: 'Show, reconnect, add or remove MCP servers',
    async execute(_session, args) {
      const [action = 'list', name = '', ...rest] = args.split(/\s+/).filter(Boolean);
      if (action === 'list') return list(parts.pool);
      if (name === '') return refused(USAGE);
      if (action === 'reconnect') return reconnect(parts.pool, name);
      if (action === 'add' && rest.length > 0) return add(parts, name, rest);
      if (action === 'remove') return remove(parts, name);
      return refused(USAGE);
    },
  };
}

function list(pool: McpPool): CommandResult {
  const servers = pool.status();
  const message = servers.map(describe).join('\n');
  return {
    success: true,
    message: message || 'There are no MCP servers. /mcp add <name> <command or address> adds one.',
    data: { servers },
  };
}

async function reconnect(pool: McpPool, name: string): Promise<CommandResult> {
  const status = await pool.reconnect(name);
  if (!status) return refused(unknownServer(pool, name));
  return { success: status.state === 'connected', message: describe(status), data: { status } };
}

/** Saved in the project's local settings; connected immediately, because the user asked for it. */
async function add(
  { pool, context }: McpCommandParts,
  name: string,
  words: readonly string[],
): Promise<CommandResult> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    return refused('The name of a server has letters, digits, "_" and "-", at most 64.');
  }
  const [first = '', ...args] = words;
  const setting: McpServerSetting = /^https?:\/\//.test(first)
    ? { type: 'http', url: first }
    : { command: first, ...(args.length > 0 && { args }) };
  const file = projectPaths(context.cwd).settingsLocal;
  const config = serverConfig(
    { name, setting, source: file },
    { cwd: context.cwd, env: context.config.env ?? {} },
  );
  const status = await pool.add(config);
  if (status.state !== 'connected') {
    await pool.remove(name);
    return refused(`It was not added: ${status.problem ?? 'it did not answer'}`);
  }
  await editSettings({ file, root: context.cwd }, (settings) => ({
    ...settings,
    mcpServers: { ...asFields(settings.mcpServers), [name]: setting },
  }));
  const trust = context.trusted ? '' : ' It is used again once this directory is trusted.';
  return {
    success: true,
    message: `${describe(status)}\nKept in ${file}.${trust}`,
    data: { status },
  };
}

async function remove(
  { pool, context, servers }: McpCommandParts,
  name: string,
): Promise<CommandResult> {
  const files = await forgetServer(context.cwd, name);
  const source = servers.find((server) => server.name === name)?.source;
  const isKnown = pool.status().some((status) => status.name === name);
  if (files.length === 0 && isKnown) {
    return refused(`${name} is configured by ${source ?? 'the session'}; take it out there.`);
  }
  if (files.length === 0) return refused(unknownServer(pool, name));
  await pool.remove(name);
  return {
    success: true,
    message: `${name} was removed from ${files.join(', ')}.`,
    data: { files },
  };
}

/** Removes a server from our settings files and `.mcp.json`; returns the changed files. */
async function forgetServer(cwd: string, name: string): Promise<string[]> {
  const changed: string[] = [];
  const servers = { file: projectPaths(cwd).mcpConfig, root: cwd };
  for (const edited of [...ownSettingsFiles(cwd), servers]) {
    const isChanged = await editSettings(edited, (settings) => {
      const { [name]: removed, ...kept } = asFields(settings.mcpServers);
      return removed === undefined ? undefined : { ...settings, mcpServers: kept };
    });
    if (isChanged) changed.push(edited.file);
  }
  return changed;
}

function describe({ name, state, tools, problem }: McpServerStatus): string {
  if (state === 'connected') return `${name}: connected, ${tools.length} tools`;
  return `${name}: ${state}${problem === undefined ? '' : ` - ${problem}`}`;
}

function unknownServer(pool: McpPool, name: string): string {
  const names = pool.status().map((status) => status.name);
  return `There is no MCP server "${name}"; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ') || 'none'}.`;
}

function refused(message: string): CommandResult {
  return { success: false, message };
}
