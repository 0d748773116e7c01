import type {
  HookAnswer,
  HookDefinition,
  HookExecution,
  HookInput,
  HookTypeExecutor,
  Tool,
} from '@robota-sdk/agent-core';

export interface McpToolExecutorOptions {
  readonly sessionId: string;
  /** All tools of the session, including those of connected servers. */
  readonly tools: () => readonly Tool[];
}

/** MCP tool hooks: calls a tool of a connected server and reads its text like a command's output. */
export class McpToolExecutor implements HookTypeExecutor {
  readonly type = 'mcp_tool';
  readonly #options: McpToolExecutorOptions;

  constructor(options: McpToolExecutorOptions) {
    this.#options = options;
  }

  async execute(
    definition: HookDefinition,
    input: HookInput,
    { signal = new AbortController().signal }: Partial<HookExecution> = {},
  ): Promise<HookAnswer> {
    if (definition.type !== 'mcp_tool') return { exitCode: 1, stderr: 'not an MCP tool hook' };
    const { server, tool: toolName } = definition;
    const tool = this.#find(server, toolName);
    if (!tool) {
      return { exitCode: 1, stderr: `no connected MCP server ${server} has a tool ${toolName}` };
    }
    const parameters = fill(definition.input ?? {}, input) as Readonly<Record<string, unknown>>;
    const { sessionId } = this.#options;
    const executionId = `hook-${input.tool_use_id ?? input.hook_event_name}`;
    const context = { toolName: tool.schema.name, parameters, executionId, sessionId, signal };
    const { success, data, error } = await tool.execute(parameters, context);
    if (!success) return { exitCode: 1, stderr: error ?? 'the tool failed' };
    return { exitCode: 0, stdout: typeof data === 'string' ? data : (JSON.stringify(data) ?? '') };
  }

  #find(server: string, tool: string): Tool | undefined {
    const name = `mcp__${wireName(server)}__${wireName(tool)}`;
    return this.#options.tools().find(({ schema }) => schema.name === name);
  }
}

function wireName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

/** Replaces placeholders such as `${tool_input.file_path}` with values of the event. */
function fill(value: unknown, input: HookInput): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{([\w.]+)\}/g, (written, path: string) => {
      const found = valueAt(input, path.split('.'));
      if (found === undefined) return written;
      return typeof found === 'string' ? found : JSON.stringify(found);
    });
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, input));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, input)]));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name)
        ? (found as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  );
}
