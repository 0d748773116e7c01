import type { McpServerConfig } from '@robota-sdk/agent-tools';
import type {
  AssemblyScene,
  Contribution,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { Workshop } from '../assembly/workshop.ts';
import { projectPaths } from '../paths.ts';
import { McpPool } from './mcp-pool.ts';
import {
  type ConfiguredServer,
  configuredServers,
  readMcpFile,
  serverConfig,
} from './mcp-servers.ts';

/** Enough for a local server; slower ones join when they are there. `MCP_TIMEOUT` (milliseconds) changes it. */
const START_WAIT_MS = 5_000;

/** Connects a session to the MCP servers of its options, settings, plugins and, where trusted, `.mcp.json`. */
export function mcpExtension(workshop: Workshop): SessionExtension {
  return { name: 'MCP servers', extend: (scene) => extend(workshop, scene) };
}

async function extend(workshop: Workshop, scene: AssemblyScene): Promise<Contribution> {
  const configs = reachable(await findServers(workshop, scene), scene);
  if (configs.length === 0) return {};
  const pool = new McpPool({
    startWaitMs: Number(process.env.MCP_TIMEOUT) || START_WAIT_MS,
    notice: scene.notice,
    onChange(tools) {
      const { tools: all, setTools } = scene.standing();
      const others = all.filter(({ schema }) => !belongsTo(schema.name, configs));
      setTools([...others, ...tools]);
    },
  });
  return { tools: await pool.start(configs), dispose: () => pool.close() };
}

/** Of two servers with one name the more explicit one counts. */
async function findServers(workshop: Workshop, scene: AssemblyScene): Promise<ConfiguredServer[]> {
  const servers = [
    ...configuredServers(scene.options.mcpServers, 'options'),
    ...configuredServers(scene.config.mcpServers, 'settings'),
    ...(await ofProject(scene)),
    ...workshop.plugins.flatMap(({ mcpServers, manifest }) =>
      configuredServers(mcpServers, `plugin ${manifest.name}`),
    ),
  ];
  const names = servers.map(({ name }) => name);
  return servers.filter(
    ({ name, setting }, index) => names.indexOf(name) === index && setting?.disabled !== true,
  );
}

async function ofProject(scene: AssemblyScene): Promise<ConfiguredServer[]> {
  if (scene.options.bare || scene.options.config) return [];
  const file = projectPaths(scene.cwd).mcpConfig;
  try {
    const servers = await readMcpFile(file);
    if (scene.trusted || servers.length === 0) return servers;
    scene.notice(`This directory is not trusted, so the MCP servers of ${file} are not started.`);
  } catch (error) {
    scene.notice((error as Error).message);
  }
  return [];
}

function reachable(servers: readonly ConfiguredServer[], scene: AssemblyScene): McpServerConfig[] {
  const { cwd, config } = scene;
  return servers.flatMap((server) => {
    try {
      return [serverConfig(server, { cwd, env: config.env ?? {} })];
    } catch (error) {
      scene.notice(`Cannot use an MCP server: ${(error as Error).message}`);
      return [];
    }
  });
}

function belongsTo(tool: string, servers: readonly McpServerConfig[]): boolean {
  return servers.some(({ name }) =>
    tool.startsWith(`mcp__${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__`),
  );
}
