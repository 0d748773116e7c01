import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import type { LiveSession } from '@robota-sdk/agent-sdk';
import { assertId } from '../live/session-gateway.ts';
import { AcpSession, asRequestError } from './acp-session.ts';
import { createEditorSandbox } from './editor-sandbox.ts';
import { switchable, switchMode, switchOption } from './session-facts.ts';
import type { AcpSessionSource, EditorOptions } from './session-source.ts';

export interface AgentAppParts {
  readonly source: AcpSessionSource;
  readonly models: readonly string[];
  readonly title: string;
  onNotice(message: string): void;
}

/** The handlers of one connection and the sessions its editor has open. */
export class AgentApp {
  readonly #parts: AgentAppParts;
  readonly #open = new Map<string, AcpSession>();
  #capabilities: acp.ClientCapabilities = {};

  constructor(parts: AgentAppParts) {
    this.#parts = parts;
  }

  connect(stream: acp.Stream): acp.AgentConnection {
    const { agent } = acp.methods;
    const { source } = this.#parts;
    const app = acp
      .agent({ name: 'robota' })
      .onRequest(agent.initialize, ({ params }) => this.#initialize(params))
      .onRequest(agent.authenticate, () => ({}))
      .onRequest(agent.session.new, ({ params, client }) => this.#new(params, client))
      .onRequest(agent.session.load, ({ params, client }) => this.#load(params, client))
      .onRequest(agent.session.resume, ({ params, client }) => this.#resume(params, client))
      .onRequest(agent.session.list, ({ params }) => this.#list(params))
      .onRequest(agent.session.close, ({ params }) => this.#close(params.sessionId))
      .onRequest(agent.session.setMode, ({ params: { sessionId, modeId } }) =>
        this.#change(sessionId, (session) => switchMode(session, modeId)).then(() => ({})),
      )
      .onRequest(agent.session.setConfigOption, ({ params }) =>
        this.#change(params.sessionId, (session) => switchOption(session, params)),
      )
      .onRequest(agent.session.prompt, ({ params, signal }) =>
        this.#find(params.sessionId).prompt(params, signal),
      )
      .onNotification(agent.session.cancel, ({ params }) =>
        this.#open.get(params.sessionId)?.cancel(),
      );
    const { remove } = source;
    if (remove) {
      app.onRequest(agent.session.delete, async ({ params: { sessionId } }) => {
        await this.#close(sessionId).catch(() => undefined);
        await attempt(() => remove(sessionId));
        return {};
      });
    }
    return app.connect(stream);
  }

  /** The editor disconnected; its running prompts are aborted. */
  async leave(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(
      open.map(async (opened) => {
        await opened.leave();
        await this.#parts.source.leave?.(opened.session);
      }),
    );
  }

  #initialize({ clientCapabilities = {} }: acp.InitializeRequest): acp.InitializeResponse {
    this.#capabilities = clientCapabilities;
    const { source, title } = this.#parts;
    return {
      protocolVersion: acp.PROTOCOL_VERSION,
      agentInfo: { name: 'robota', title, version: '0.2.0' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: source.takesImages, embeddedContext: true, audio: false },
        mcpCapabilities: { http: source.takesServers, sse: source.takesServers },
        sessionCapabilities: {
          list: {},
          resume: {},
          close: {},
          ...(source.remove && { delete: {} }),
        },
      },
      authMethods: [],
    };
  }

  async #new(
    { cwd, mcpServers, additionalDirectories }: acp.NewSessionRequest,
    client: acp.AgentContext,
  ): Promise<acp.NewSessionResponse> {
    await assertDirectory(cwd);
    const sessionId = randomUUID();
    const options = this.#editorOptions({ mcpServers, additionalDirectories, sessionId, client });
    const { source } = this.#parts;
    const session = await attempt(() => source.create({ ...options, sessionId, cwd }));
    const opened = await this.#hold(session, client);
    return { sessionId: session.sessionId, ...this.#introduce(opened) };
  }

  /** The protocol requires the history before the response. */
  async #load(params: acp.LoadSessionRequest, client: acp.AgentContext) {
    const opened = await this.#reopen(params, client);
    await opened.replay();
    return this.#introduce(opened);
  }

  async #resume(params: acp.ResumeSessionRequest, client: acp.AgentContext) {
    return this.#introduce(await this.#reopen(params, client));
  }

  async #reopen(params: acp.ResumeSessionRequest, client: acp.AgentContext): Promise<AcpSession> {
    const { sessionId, mcpServers = [], additionalDirectories } = params;
    const options = this.#editorOptions({ mcpServers, additionalDirectories, sessionId, client });
    const session = await attempt(async () => {
      assertId(sessionId);
      return this.#parts.source.open(sessionId, options);
    });
    await this.#open.get(sessionId)?.leave();
    return this.#hold(session, client);
  }

  async #list({ cwd, cursor }: acp.ListSessionsRequest): Promise<acp.ListSessionsResponse> {
    const from = Number(cursor ?? 0);
    if (!Number.isSafeInteger(from) || from < 0) {
      throw acp.RequestError.invalidParams({ cursor }, 'not a cursor of ours');
    }
    const all = await attempt(() => this.#parts.source.list(cwd ?? undefined));
    const wanted = all.filter((one) => one.cwd !== '' && (!cwd || one.cwd === cwd));
    const sessions = wanted.slice(from, from + PAGE).map((one) => ({
      sessionId: one.id,
      cwd: one.cwd,
      title: one.name || one.preview || null,
      updatedAt: one.updatedAt ?? null,
    }));
    const next = from + PAGE;
    return { sessions, ...(next < wanted.length && { nextCursor: String(next) }) };
  }

  async #close(sessionId: string): Promise<acp.CloseSessionResponse> {
    const opened = this.#find(sessionId);
    this.#open.delete(sessionId);
    await opened.leave();
    await attempt(() => this.#parts.source.close(opened.session));
    return {};
  }

  async #change(sessionId: string, change: (session: LiveSession) => Promise<void>) {
    const { session } = this.#find(sessionId);
    await attempt(() => change(session));
    const { configOptions } = switchable(session, this.#parts.models);
    return { configOptions };
  }

  #find(sessionId: string): AcpSession {
    const found = this.#open.get(sessionId);
    // The editor sent the id, so it knows the session.
    found?.release();
    if (found) return found;
    const problem = `session ${sessionId} is not open here; create or load it first`;
    throw acp.RequestError.invalidParams({ sessionId }, problem);
  }

  /** Listens before the session is ready, so that notices from start-up are not lost. */
  async #hold(session: LiveSession, client: acp.AgentContext): Promise<AcpSession> {
    const { models, onNotice } = this.#parts;
    const capabilities = this.#capabilities;
    const opened = new AcpSession({ session, client, capabilities, models, onNotice });
    try {
      await session.whenReady();
    } catch (error) {
      await opened.leave();
      await this.#parts.source.close(session);
      throw asRequestError(error);
    }
    this.#open.set(session.sessionId, opened);
    return opened;
  }

  /** Deferred until the response is sent: editors ignore updates of a session they do not know yet. */
  #introduce(opened: AcpSession) {
    setImmediate(() => void opened.introduce());
    return switchable(opened.session, this.#parts.models);
  }

  #editorOptions({
    mcpServers,
    additionalDirectories,
    sessionId,
    client,
  }: {
    readonly mcpServers: readonly acp.McpServer[];
    readonly additionalDirectories: readonly string[] | undefined;
    readonly sessionId: string;
    readonly client: acp.AgentContext;
  }): EditorOptions {
    const { fs, terminal } = this.#capabilities;
    const capabilities = this.#capabilities;
    if (mcpServers.length > 0 && !this.#parts.source.takesServers) {
      this.#parts.onNotice('This agent uses its own MCP servers, not those of the editor.');
    }
    const offersPlace = fs?.readTextFile || fs?.writeTextFile || terminal;
    return {
      mcpServers: Object.fromEntries(mcpServers.map((server) => [server.name, settingOf(server)])),
      additionalDirectories: additionalDirectories ?? [],
      ...(offersPlace && {
        aroundSandbox: (inner, env) =>
          createEditorSandbox(inner, {
            client,
            capabilities,
            sessionId,
            env,
            onTerminal: (command, terminalId) =>
              this.#open.get(sessionId)?.ranInTerminal(command, terminalId),
          }),
      }),
    };
  }
}

async function assertDirectory(cwd: string): Promise<void> {
  const found = isAbsolute(cwd) ? await stat(cwd).catch(() => undefined) : undefined;
  if (found?.isDirectory()) return;
  throw acp.RequestError.invalidParams({ cwd }, `${cwd} is not an absolute path of a directory`);
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asRequestError(error);
  }
}

function settingOf(server: acp.McpServer): EditorOptions['mcpServers'][string] {
  const pairs = (list: readonly { readonly name: string; readonly value: string }[]) =>
    Object.fromEntries(list.map(({ name, value }) => [name, value]));
  if ('url' in server) {
    return { type: server.type, url: server.url, headers: pairs(server.headers) };
  }
  return { command: server.command, args: server.args, env: pairs(server.env) };
}

const PAGE = 100;
