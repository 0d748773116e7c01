/** How to reach an MCP server, in the words of `.mcp.json`. */
export type McpServerConfig = McpServerOptions & (StdioServer | HttpServer);

interface McpServerOptions {
  /** Names the server in its tools' names: `mcp__<name>__<tool>`. */
  readonly name: string;
  /** Milliseconds until an attempt to connect is given up (default 30000). */
  readonly connectTimeoutMs?: number;
  /** Gives up an attempt to connect, so that no process is left behind. */
  readonly signal?: AbortSignal;
  /** Milliseconds a call may take without progress (default 600000). */
  readonly callTimeoutMs?: number;
}

interface StdioServer {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to a small safe part of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

interface HttpServer {
  /** `sse` is the older protocol, which some servers still speak alone. */
  readonly type: 'http' | 'streamable-http' | 'sse';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}
