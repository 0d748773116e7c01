import type { McpServerConfig } from '@robota-sdk/agent-tools';
import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import { projectPaths } from '../paths.ts';
import {
  type ConfiguredServer,
  configuredServers,
  readMcpFile,
  serverConfig,
} from './mcp-servers.ts';

/** Connects a session to the MCP servers of its options, settings, plugins and, when trusted, `.mcp.json`. */
export function mcpExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'MCP servers', extend: (context) => extend(shared, context) };
}

async function extend(shared: SharedExtensions, context: ExtensionContext): Promise<Contribution> {
  const servers = await findServers(shared, context);
  const configs = reachable(servers, context);
  const isEveryday = context.options.everyday === true;
  if (configs.length === 0 && !isEveryday) return {};
  // The protocol code is loaded only when there are servers or the commands for them.
  const { connectServers } = await import('./connect-servers.ts');
  return await connectServers({ context, servers, configs });
}

/** On duplicate names the more explicit server wins. */
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
    // In an untrusted directory they are already reported as inactive settings.
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
