import type { Transport } from '@modelcontextprotocol/client';
import type { McpServerConfig } from './mcp-server-config.ts';

/** Maximum characters of a server's standard error that are kept, to explain a failed start. */
const MAX_ERROR_CHARS = 2_000;

export interface McpServerTransport {
  readonly transport: Transport;
  /** The last output of a stdio server on standard error. */
  lastErrors(): string;
}

/** A new transport for one connection; none can be reused. */
export async function createTransport(config: McpServerConfig): Promise<McpServerTransport> {
  if ('command' in config) return stdioTransport(config);
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/client'
  );
  const requestInit = { headers: { ...config.headers } };
  const Transport = config.type === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
  const transport = new Transport(new URL(config.url), { requestInit });
  return { transport, lastErrors: () => '' };
}

async function stdioTransport(
  config: Extract<McpServerConfig, { readonly command: string }>,
): Promise<McpServerTransport> {
  const { StdioClientTransport, getDefaultEnvironment } = await import(
    '@modelcontextprotocol/client/stdio'
  );
  const transport = new StdioClientTransport({
    command: config.command,
    args: [...(config.args ?? [])],
    env: { ...getDefaultEnvironment(), ...config.env },
    stderr: 'pipe',
    ...(config.cwd === undefined ? {} : { cwd: config.cwd }),
  });
  let words = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-MAX_ERROR_CHARS);
  });
  return { transport, lastErrors: () => words.trim() };
}
