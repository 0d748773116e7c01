import type { McpServerConfig } from '@robota-sdk/agent-tools';
import type { Contribution, ExtensionContext } from '../assembly/session-extension.ts';
import { mcpCommand } from './mcp-command.ts';
import { McpPool } from './mcp-pool.ts';
import { findPrompts, promptCommand, promptSource } from './mcp-prompts.ts';
import { withResources } from './mcp-references.ts';
import type { ConfiguredServer } from './mcp-servers.ts';

/** Enough for a local server; slower ones are added once connected. `MCP_TIMEOUT` (milliseconds) overrides it. */
const START_WAIT_MS = 5_000;

interface ServersOfSession {
  readonly context: ExtensionContext;
  /** All configured servers. */
  readonly servers: readonly ConfiguredServer[];
  /** Those with a valid configuration. */
  readonly configs: readonly McpServerConfig[];
}

/** Connects the servers and contributes their tools, prompts and resources. */
export async function connectServers({
  context,
  servers,
  configs,
}: ServersOfSession): Promise<Contribution> {
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
      ...(context.options.everyday === true ? [mcpCommand({ pool, context, servers })] : []),
    ],
    commandSources: prompts.length > 0 ? [promptSource(prompts)] : [],
    preparePrompt: (prompt) => withResources(prompt, pool.servers(), context),
    dispose: () => pool.close(),
  };
}
