import type { McpServerConfig } from '@robota-sdk/agent-tools';
import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import { projectPaths } from '../paths.ts';
import { mcpCommand } from './mcp-command.ts';
import { McpPool } from './mcp-pool.ts';
import { findPrompts, promptCommand, promptSource } from './mcp-prompts.ts';
import { withResources } from './mcp-references.ts';
import {
  type ConfiguredServer,
  configuredServers,
  readMcpFile,
  serverConfig,
} from './mcp-servers.ts';

/** Enough for a local server; slower ones join when they are there. `MCP_TIMEOUT` (milliseconds) changes it. */
const START_WAIT_MS = 5_000;

/** Connects a session to the MCP servers of its options, settings, plugins and, where trusted, `.mcp.json`. */
export function mcpExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'MCP servers', extend: (context) => extend(shared, context) };
}

async function extend(shared: SharedExtensions, context: ExtensionContext): Promise<Contribution> {
  const servers = await findServers(shared, context);
  const configs = reachable(servers, context);
  const isEveryday = context.options.everyday === true;
  if (configs.length === 0 && !isEveryday) return {};
  const offered = new Set<string>();
  const pool = new McpPool({
    startWaitMs: Number(process.env.MCP_TIMEOUT) || START_WAIT_MS,
    notice: context.notice,
    onChange(tools) {
      const { tools: all, setTools } = context.ready();
      const others = all.filter(({ schema }) => !offered.has(schema.name));
      for (const { schema } of tools) offered.add(schema.name);
      setTools([...others, ...tools]);
    },
  });
  const tools = await pool.start(configs);
  for (const { schema } of tools) offered.add(schema.name);
  const prompts = await findPrompts(pool.servers(), context.notice);
  return {
    tools,
    commands: [
      ...prompts.map((prompt) => promptCommand(prompt, context)),
      ...(isEveryday ? [mcpCommand({ pool, context, servers })] : []),
    ],
    commandSources: prompts.length > 0 ? [promptSource(prompts)] : [],
    preparePrompt: (prompt) => withResources(prompt, pool.servers(), context),
    dispose: () => pool.close(),
  };
}

/** Of two servers with one name the more explicit one counts. */
async function findServers(
  shared: SharedExtensions,
  context: ExtensionContext,
): Promise<ConfiguredServer[]> {
  const servers = [
    ...configuredServers(context.options.mcpServers, 'options'),
    ...configuredServers(context.config.mcpServers, 'settings'),
    ...(await ofProject(context)),
    ...shared.plugins.flatMap(({ mcpServers, manifest }) =>
      configuredServers(mcpServers, `plugin ${manifest.name}`),
    ),
  ];
  const names = servers.map(({ name }) => name);
  return servers.filter(
    ({ name, setting }, index) => names.indexOf(name) === index && setting?.disabled !== true,
  );
}

async function ofProject(context: ExtensionContext): Promise<ConfiguredServer[]> {
  if (context.options.bare || context.options.config) return [];
  const file = projectPaths(context.cwd).mcpConfig;
  try {
    const servers = await readMcpFile(file, context.cwd);
    // An untrusted directory has been told of among the settings that are not applied.
    return context.trusted ? servers : [];
  } catch (error) {
    context.notice((error as Error).message);
    return [];
  }
}

function reachable(
  servers: readonly ConfiguredServer[],
  context: ExtensionContext,
): McpServerConfig[] {
  const { cwd, config } = context;
  return servers.flatMap((server) => {
    try {
      return [serverConfig(server, { cwd, env: config.env ?? {} })];
    } catch (error) {
      context.notice(`Cannot use an MCP server: ${(error as Error).message}`);
      return [];
    }
  });
}
