import type { Tool } from '@robota-sdk/agent-core';
import { connectMcpServer, type McpServerConfig, type McpTools } from '@robota-sdk/agent-tools';

export interface McpPoolParts {
  /** Milliseconds the session waits for servers before it starts without the slow ones. */
  readonly startWaitMs: number;
  readonly notice: (message: string) => void;
  /** Called with all tools when they change after the start. */
  readonly onChange: (tools: readonly Tool[]) => void;
}

/** Connections to several servers. One that fails or is slow never keeps the others waiting. */
export class McpPool {
  readonly #parts: McpPoolParts;
  readonly #connected: McpTools[] = [];
  readonly #connecting: Promise<void>[] = [];
  readonly #closing = new AbortController();
  #isStarted = false;

  constructor(parts: McpPoolParts) {
    this.#parts = parts;
  }

  /** The tools of the servers that answered in time; those of the others follow. */
  async start(configs: readonly McpServerConfig[]): Promise<readonly Tool[]> {
    for (const config of configs) this.#connecting.push(this.#connect(config));
    await this.#untilReady();
    this.#isStarted = true;
    return this.tools();
  }

  tools(): readonly Tool[] {
    return this.#connected.flatMap((tools) => [...tools]);
  }

  /** The servers that are connected by now. */
  servers(): readonly McpTools[] {
    return this.#connected;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The session has ended'));
    await Promise.all(this.#connecting);
    await Promise.all(this.#connected.map((tools) => tools.close()));
  }

  async #connect(config: McpServerConfig): Promise<void> {
    try {
      const tools = await connectMcpServer({ ...config, signal: this.#closing.signal });
      this.#connected.push(tools);
      tools.onToolsChanged(() => this.#changed());
      this.#changed();
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#parts.notice((error as Error).message);
    }
  }

  #changed(): void {
    if (this.#isStarted && !this.#closing.signal.aborted) this.#parts.onChange(this.tools());
  }

  async #untilReady(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<'waited'>((resolve) => {
      timer = setTimeout(() => resolve('waited'), this.#parts.startWaitMs);
    });
    try {
      const end = await Promise.race([Promise.all(this.#connecting), waited]);
      if (end !== 'waited') return;
      this.#parts.notice(
        'An MCP server has not answered yet; the session starts without its tools.',
      );
    } finally {
      clearTimeout(timer);
    }
  }
}
