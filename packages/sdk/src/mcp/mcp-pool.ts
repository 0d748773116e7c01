import type { Tool } from '@robota-sdk/agent-core';
import { connectMcpServer, type McpServerConfig, type McpTools } from '@robota-sdk/agent-tools';

export interface McpPoolParts {
  /** Milliseconds the session waits for servers before it starts without the slow ones. */
  readonly startWaitMs: number;
  readonly notice: (message: string) => void;
  /** Called with all tools when they change after the start. */
  readonly onChange: (tools: readonly Tool[]) => void;
}

/** The connection state of one server. */
export interface McpServerStatus {
  readonly name: string;
  readonly state: 'connecting' | 'connected' | 'failed';
  /** Names of its tools, as the model calls them. */
  readonly tools: readonly string[];
  /** Why it could not be reached. */
  readonly problem?: string | undefined;
}

interface PooledServer {
  readonly config: McpServerConfig;
  readonly stop: AbortController;
  connecting: Promise<void>;
  tools?: McpTools;
  problem?: string;
}

/** Connections to several servers. A failing or slow server never blocks the others. */
export class McpPool {
  readonly #parts: McpPoolParts;
  readonly #servers = new Map<string, PooledServer>();
  #isStarted = false;
  #isClosed = false;

  constructor(parts: McpPoolParts) {
    this.#parts = parts;
  }

  /** The tools of the servers that connected in time; those of the others follow through `onChange`. */
  async start(configs: readonly McpServerConfig[]): Promise<readonly Tool[]> {
    for (const config of configs) this.#connect(config);
    await this.#untilReady();
    this.#isStarted = true;
    return this.tools();
  }

  tools(): readonly Tool[] {
    return this.servers().flatMap((tools) => [...tools]);
  }

  /** The servers connected so far. */
  servers(): readonly McpTools[] {
    return [...this.#servers.values()].flatMap(({ tools }) => (tools ? [tools] : []));
  }

  /** Every server, including those that could not be reached. */
  status(): readonly McpServerStatus[] {
    return [...this.#servers.values()].map(statusOf);
  }

  /** Connects a server, replacing one of the same name. Resolves with the resulting state. */
  async add(config: McpServerConfig): Promise<McpServerStatus> {
    await this.remove(config.name);
    const server = this.#connect(config);
    await server.connecting;
    return statusOf(server);
  }

  /** Undefined for an unknown server. */
  async reconnect(name: string): Promise<McpServerStatus | undefined> {
    const server = this.#servers.get(name);
    return server && this.add(server.config);
  }

  /** False when there is no such server. */
  async remove(name: string): Promise<boolean> {
    const server = this.#servers.get(name);
    if (!server) return false;
    this.#servers.delete(name);
    await end(server, new Error('The server was removed'));
    this.#changed();
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = new Error('The session has ended');
    await Promise.all([...this.#servers.values()].map((server) => end(server, reason)));
  }

  #connect(config: McpServerConfig): PooledServer {
    const server: PooledServer = {
      config,
      stop: new AbortController(),
      connecting: Promise.resolve(),
    };
    this.#servers.set(config.name, server);
    server.connecting = this.#open(server);
    return server;
  }

  async #open(server: PooledServer): Promise<void> {
    const { signal } = server.stop;
    try {
      const tools = await connectMcpServer({ ...server.config, signal });
      server.tools = tools;
      tools.onToolsChanged(() => this.#changed());
      this.#changed();
    } catch (error) {
      server.problem = (error as Error).message;
      if (!signal.aborted) this.#parts.notice(server.problem);
    }
  }

  #changed(): void {
    if (this.#isStarted && !this.#isClosed) this.#parts.onChange(this.tools());
  }

  async #untilReady(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<'waited'>((resolve) => {
      timer = setTimeout(() => resolve('waited'), this.#parts.startWaitMs);
    });
    const connecting = [...this.#servers.values()].map((server) => server.connecting);
    try {
      const ended = await Promise.race([Promise.all(connecting), waited]);
      if (ended !== 'waited') return;
      this.#parts.notice(
        'An MCP server has not answered yet; the session starts without its tools.',
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

async function end(server: PooledServer, reason: Error): Promise<void> {
  server.stop.abort(reason);
  await server.connecting;
  await server.tools?.close();
}

function statusOf({ config, tools, problem }: PooledServer): McpServerStatus {
  const { name } = config;
  const names = (tools ?? []).map(({ schema }) => schema.name);
  if (tools) return { name, state: 'connected', tools: names };
  return { name, state: problem === undefined ? 'connecting' : 'failed', tools: names, problem };
}
