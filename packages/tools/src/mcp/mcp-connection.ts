import type { CallToolResult, Client, Tool as McpTool } from '@modelcontextprotocol/client';
import { untilAborted } from '../files/file-source.ts';
import { type McpPrompt, type McpResource, textOfContent } from './mcp-content.ts';
import type { McpServerConfig } from './mcp-server-config.ts';
import { createTransport } from './mcp-transport.ts';

const CONNECT_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 600_000;

export interface McpCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** A connection that is reopened: when the server has exited, the next use starts it again. */
export class McpConnection {
  readonly #config: McpServerConfig;
  readonly #onToolsChanged: (tools: readonly McpTool[]) => void;
  #client: Promise<Client> | undefined;
  #isClosed = false;
  #hasBeenConnected = false;

  constructor(config: McpServerConfig, onToolsChanged: (tools: readonly McpTool[]) => void) {
    this.#config = config;
    this.#onToolsChanged = onToolsChanged;
  }

  async listTools(): Promise<readonly McpTool[]> {
    const client = await this.#connected();
    if (!client.getServerCapabilities()?.tools) return [];
    const { tools } = await client.listTools();
    return tools;
  }

  async listPrompts(): Promise<readonly McpPrompt[]> {
    const client = await this.#connected();
    if (!client.getServerCapabilities()?.prompts) return [];
    const { prompts } = await client.listPrompts();
    return prompts.map(({ name, description, title, arguments: taken = [] }) => ({
      server: this.#config.name,
      name,
      description: description ?? title ?? name,
      arguments: taken.map((each) => ({ name: each.name, required: each.required === true })),
    }));
  }

  /** The prompt's text with its arguments. */
  async getPrompt(name: string, given: Readonly<Record<string, string>>): Promise<string> {
    const client = await this.#connected();
    const { messages } = await client.getPrompt({ name, arguments: { ...given } });
    return messages.map(({ content }) => textOfContent(content)).join('\n\n');
  }

  async listResources(): Promise<readonly McpResource[]> {
    const client = await this.#connected();
    if (!client.getServerCapabilities()?.resources) return [];
    const { resources } = await client.listResources();
    return resources.map(({ uri, name, description }) => ({
      server: this.#config.name,
      uri,
      name,
      description: description ?? name,
    }));
  }

  async readResource(uri: string): Promise<string> {
    const client = await this.#connected();
    const { contents } = await client.readResource({ uri });
    return textOfContent(contents);
  }

  async call({ name, arguments: given, signal, onProgress }: McpCall): Promise<CallToolResult> {
    const client = await untilAborted(this.#connected(), signal);
    const call = client.callTool(
      { name, arguments: { ...given } },
      {
        signal,
        timeout: this.#config.callTimeoutMs ?? CALL_TIMEOUT_MS,
        resetTimeoutOnProgress: true,
        onprogress: (progress) => onProgress(describeProgress(progress)),
      },
    );
    return await untilAborted(call, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.close();
  }

  #connected(): Promise<Client> {
    if (this.#isClosed) {
      return Promise.reject(
        new Error(`The connection to MCP server "${this.#config.name}" is closed`),
      );
    }
    if (this.#client) return this.#client;
    // An old connection that closes late must not close its successor.
    const connecting: Promise<Client> = this.#connect(() => {
      if (this.#client === connecting) this.#client = undefined;
    });
    this.#client = connecting;
    return connecting;
  }

  async #connect(onEnd: () => void): Promise<Client> {
    const { Client } = await import('@modelcontextprotocol/client');
    const client = new Client(
      { name: 'robota', version: '0.2.0' },
      { listChanged: { tools: { onChanged: (_error, tools) => this.#changed(tools) } } },
    );
    client.onclose = onEnd;
    let lastErrors = () => '';
    const timeoutMs = this.#config.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    const timeout = AbortSignal.timeout(timeoutMs);
    const { signal } = this.#config;
    const end = signal ? AbortSignal.any([timeout, signal]) : timeout;
    try {
      const created = await createTransport(this.#config);
      lastErrors = created.lastErrors;
      await untilAborted(client.connect(created.transport, { timeout: timeoutMs }), end);
      // A restarted server may offer other tools than before.
      if (this.#hasBeenConnected) {
        this.#changed((await untilAborted(client.listTools(), end)).tools);
      }
    } catch (error) {
      onEnd();
      await client.close();
      const reason = timeout.aborted ? `no answer for ${timeoutMs} ms` : messageOf(error);
      const words = lastErrors();
      throw new Error(
        `Cannot connect to MCP server "${this.#config.name}": ${reason}${words && `\n${words}`}`,
        { cause: error },
      );
    }
    this.#hasBeenConnected = true;
    return client;
  }

  /** `null` when the server announced a change but its tools could not be listed. */
  #changed(tools: readonly McpTool[] | null): void {
    if (tools) this.#onToolsChanged(tools);
  }
}

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

function describeProgress({ progress, total, message }: Progress): string {
  const share = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined ? share : `${message} (${share})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
