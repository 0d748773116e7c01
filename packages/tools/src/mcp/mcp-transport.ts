import type { Transport } from '@modelcontextprotocol/client';
import type { McpServerConfig } from './mcp-server-config.ts';

/** What a server wrote on its standard error is kept this far, to explain a failed start. */
const LAST_WORDS_CHARS = 2_000;

export interface McpTransport {
  readonly transport: Transport;
  /** The end of what a stdio server wrote on its standard error. */
  lastWords(): string;
}

/** A fresh transport for one connection; none can be used twice. */
export async function createTransport(config: McpServerConfig): Promise<McpTransport> {
  if ('command' in config) return stdioTransport(config);
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/client'
  );
  const requestInit = { headers: { ...config.headers } };
  const Transport = config.type === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
  const transport = new Transport(new URL(config.url), { requestInit });
  return { transport, lastWords: () => '' };
}

async function stdioTransport(
  config: Extract<McpServerConfig, { readonly command: string }>,
): Promise<McpTransport> {
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
    words = (words + chunk.toString()).slice(-LAST_WORDS_CHARS);
  });
  return { transport, lastWords: () => words.trim() };
}
