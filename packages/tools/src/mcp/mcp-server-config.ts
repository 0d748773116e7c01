/** How to reach an MCP server, with the field names of `.mcp.json`. */
export type McpServerConfig = McpServerOptions & (StdioServer | HttpServer);

interface McpServerOptions {
  /** Part of its tools' names: `mcp__<name>__<tool>`. */
  readonly name: string;
  /** Timeout of a connection attempt in milliseconds (default 30000). */
  readonly connectTimeoutMs?: number;
  /** Cancels a connection attempt, so that no process is left running. */
  readonly signal?: AbortSignal;
  /** Milliseconds a call may take without progress (default 600000). */
  readonly callTimeoutMs?: number;
}

interface StdioServer {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to a small safe subset of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

interface HttpServer {
  /** `sse` is the older protocol, the only one that some servers support. */
  readonly type: 'http' | 'streamable-http' | 'sse';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}
