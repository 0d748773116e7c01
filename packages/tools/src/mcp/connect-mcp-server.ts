import { createHash } from 'node:crypto';
import type { Tool as McpTool } from '@modelcontextprotocol/client';
import type {
  Tool,
  ToolExecutionContext,
  ToolOutcome,
  ToolParameters,
} from '@robota-sdk/agent-core';
import { completeContext } from '../function-tool/function-tool.ts';
import { McpConnection } from './mcp-connection.ts';
import type { McpPrompt, McpResource } from './mcp-content.ts';
import { toMcpOutcome } from './mcp-outcome.ts';
import type { McpServerConfig } from './mcp-server-config.ts';

/** A server's tools, updated in place when the server changes its list. */
export interface McpTools extends Array<Tool> {
  /** Closes the connection and, for stdio, ends the server. */
  close(): Promise<void>;
  /** Calls the listener after each change of these tools; returns a function that removes it. */
  onToolsChanged(listener: (tools: readonly Tool[]) => void): () => void;
  /** The server's name in `.mcp.json`. */
  readonly serverName: string;
  listPrompts(): Promise<readonly McpPrompt[]>;
  /** The text of a prompt with these arguments. */
  getPrompt(name: string, given: Readonly<Record<string, string>>): Promise<string>;
  listResources(): Promise<readonly McpResource[]>;
  readResource(uri: string): Promise<string>;
}

/** Connects to an MCP server and provides its tools; rejects when the server cannot be reached. */
export async function connectMcpServer(config: McpServerConfig): Promise<McpTools> {
  const listeners = new Set<(tools: readonly Tool[]) => void>();
  const replaceTools = (listed: readonly McpTool[]) => {
    tools.splice(0, tools.length, ...toTools(config.name, listed, connection));
    for (const listener of listeners) listener(tools);
  };
  const connection = new McpConnection(config, replaceTools);
  const tools: McpTools = Object.assign<Tool[], Omit<McpTools, keyof Tool[]>>([], {
    close: () => connection.close(),
    onToolsChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    serverName: config.name,
    listPrompts: () => connection.listPrompts(),
    getPrompt: (name, given) => connection.getPrompt(name, given),
    listResources: () => connection.listResources(),
    readResource: (uri) => connection.readResource(uri),
  });
  try {
    replaceTools(await connection.listTools());
  } catch (error) {
    await connection.close();
    throw error;
  }
  return tools;
}

/** Names are unique: the first tool of a name wins. */
function toTools(server: string, listed: readonly McpTool[], connection: McpConnection): Tool[] {
  const byName = new Map<string, Tool>();
  for (const each of listed) {
    const tool = toTool(server, each, connection);
    if (!byName.has(tool.schema.name)) byName.set(tool.schema.name, tool);
  }
  return [...byName.values()];
}

function toTool(server: string, tool: McpTool, connection: McpConnection): Tool {
  const name = toolName(server, tool.name);
  const { required, properties, ...schema } = tool.inputSchema;
  return {
    schema: {
      name,
      description: tool.description ?? tool.title ?? tool.name,
      parameters: {
        ...schema,
        type: 'object',
        properties: { ...properties },
        ...(required ? { required } : {}),
      },
    },
    getName: () => name,
    execute: (parameters, given) => {
      const context = completeContext(name, parameters, given);
      return callTool(connection, tool.name, { parameters, context, server });
    },
    touches: async () => [{ kind: 'execute', target: name }],
  };
}

interface ToolCallScope {
  readonly parameters: ToolParameters;
  readonly context: ToolExecutionContext;
  readonly server: string;
}

async function callTool(
  connection: McpConnection,
  name: string,
  { parameters, context, server }: ToolCallScope,
): Promise<ToolOutcome> {
  const { signal, onProgress = () => undefined } = context;
  try {
    signal.throwIfAborted();
    const call = { name, arguments: parameters, signal, onProgress };
    return toMcpOutcome(await connection.call(call));
  } catch (error) {
    if (signal.aborted) {
      const message = `The call of ${name} on MCP server "${server}" was interrupted`;
      return { success: false, error: message, errorCode: 'interrupted' };
    }
    const reason = error instanceof Error ? error.message : String(error);
    return {
      success: false,
      error: `MCP server "${server}" failed during ${name}: ${reason}`,
      errorCode: 'mcp_server_failed',
    };
  }
}

/** Providers accept names of 64 letters, digits, `_` and `-`; longer ones end in a hash to stay unique. */
function toolName(server: string, tool: string): string {
  const full = `mcp__${server}__${tool}`;
  const plain = full.replace(/[^A-Za-z0-9_-]/g, '_');
  if (plain.length <= 64) return plain;
  return `${plain.slice(0, 55)}_${createHash('sha256').update(full).digest('hex').slice(0, 8)}`;
}
