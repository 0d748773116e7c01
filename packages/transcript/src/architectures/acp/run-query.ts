import { join } from 'node:path';
import type { ProfileMcpServer } from '../../agent-sandbox/agent-profile.ts';
import { asId, asRecord, compact, type JsonRecord } from '../../json-record.ts';
import { JsonRpcError } from '../../process/json-rpc.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { StreamTranslator } from '../../stream-translator.ts';
import type { AgentPaths, AgentQuery } from '../agent-architecture-adapter.ts';
import type { AgentSetting, QueryRunner } from '../agent-program.ts';
import { LiveTurn } from '../live-turn.ts';
import { readTranscriptFile, type TranscriptSource } from '../read-transcript-file.ts';
import { runRpcTurn } from '../rpc-turn.ts';
import { AcpTurn } from './acp-turn.ts';
import { type AcpConnection, connectAcpAgent, openWithSignIn } from './connection.ts';
import { type AcpAgent, acpTypeOf } from './known-agents.ts';
import { acpTranscriptParser } from './parse-transcript.ts';
import { acpLogName, acpTranscriptLayout } from './paths.ts';
import { AcpSessionLog } from './session-log.ts';
import { optionRequests } from './session-options.ts';
import { createAcpStreamTranslator } from './translate-stream.ts';

export const acpTranscriptSource: TranscriptSource = {
  parser: acpTranscriptParser,
  layout: acpTranscriptLayout,
};

interface OpenSession {
  readonly id: string;
  /** The agent's response to opening the session, until it has been translated. */
  opened: JsonRecord | undefined;
  readonly log: AcpSessionLog;
  readonly translator: StreamTranslator;
}

/** Runs one agent and logs every event before it is yielded. */
export class AcpRunner implements QueryRunner {
  readonly #agent: AcpAgent;
  readonly #setting: AgentSetting;
  readonly #paths: AgentPaths;
  /** Sent to the agent with every session. */
  mcpServers: readonly ProfileMcpServer[] = [];
  #connection: AcpConnection | undefined;
  #session: OpenSession | undefined;

  constructor(agent: AcpAgent, setting: AgentSetting, paths: AgentPaths) {
    this.#agent = agent;
    this.#setting = setting;
    this.#paths = paths;
  }

  async *run(query: AgentQuery): AsyncGenerator<StreamEvent> {
    if (query.forkOf !== undefined && query.isNewSession)
      throw this.#notSupported('fork a session');
    const connection = await this.#connect();
    const session = await this.#open(connection, query);
    const live = new LiveTurn(acpTranscriptSource, session.translator);
    live.handle({ result: session.opened ?? {} });
    session.opened = undefined;
    const { image } = asRecord(connection.capabilities.promptCapabilities);
    const { title } = this.#agent;
    const turn = new AcpTurn(
      { connection: connection.rpc, live, query, title, takesImages: image === true },
      session.id,
    );
    for await (const event of runRpcTurn(connection.rpc, live, { query, turn })) {
      session.log.write(event);
      yield event;
    }
  }

  async close(): Promise<void> {
    const open = this.#connection;
    this.#connection = undefined;
    this.#session = undefined;
    await open?.rpc.end();
  }

  async #connect(): Promise<AcpConnection> {
    if (this.#connection?.rpc.isOpen) return this.#connection;
    this.#session = undefined;
    this.#connection = await connectAcpAgent(this.#agent, this.#setting);
    return this.#connection;
  }

  async #open(connection: AcpConnection, query: AgentQuery): Promise<OpenSession> {
    if (this.#session?.id === query.sessionId) return this.#session;
    try {
      const session = query.isNewSession
        ? await this.#create(connection)
        : await this.#resume(connection, query.sessionId);
      this.#session = session;
      return session;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #create(connection: AcpConnection): Promise<OpenSession> {
    const opened = await this.#request(connection, 'session/new', {});
    const id = asId(opened.sessionId);
    if (id === undefined) throw new Error(`${this.#agent.title} began a session without an id`);
    const facts = await this.#setOptions(connection, id, opened);
    const log = this.#logOf(id);
    log.begin({
      type: 'acp_session',
      version: 1,
      agent: acpTypeOf(this.#agent.name),
      sessionId: id,
      cwd: this.#paths.WORKSPACE_DIR,
      startedAt: new Date().toISOString(),
    });
    return { id, log, translator: createAcpStreamTranslator(), opened: facts };
  }

  /** Messages the agent replays are ignored: our log already has them. */
  async #resume(connection: AcpConnection, id: string): Promise<OpenSession> {
    const { loadSession, sessionCapabilities } = connection.capabilities;
    const canResume = asRecord(sessionCapabilities).resume;
    if (!canResume && loadSession !== true) throw this.#notSupported('continue an earlier session');
    const method = canResume ? 'session/resume' : 'session/load';
    const opened = await this.#reopen(connection, method, id);
    const facts = await this.#setOptions(connection, id, opened);
    const { metadata } = await readTranscriptFile(acpTranscriptSource, this.#logPath(id));
    const translator = createAcpStreamTranslator(undefined, metadata.usage);
    return { id, log: this.#logOf(id), translator, opened: { ...facts, sessionId: id } };
  }

  /** The agent's own session data exists only on the machine where the session began. */
  async #reopen(connection: AcpConnection, method: string, sessionId: string): Promise<JsonRecord> {
    try {
      return await this.#request(connection, method, { sessionId });
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error;
      const { title } = this.#agent;
      throw new Error(
        `${title} cannot continue this session on this machine: ${error.message}. ` +
          'Sessions are stored where they began; continue there, or begin a new one.',
        { cause: error },
      );
    }
  }

  #request(connection: AcpConnection, method: string, params: JsonRecord): Promise<JsonRecord> {
    const cwd = this.#paths.WORKSPACE_DIR;
    const mcpServers = this.mcpServers.map(toAcpServer);
    return openWithSignIn(connection, this.#agent, () =>
      connection.rpc.request(method, { ...params, cwd, mcpServers }),
    );
  }

  /** Returns the session's options after the changes. */
  async #setOptions(
    { rpc }: AcpConnection,
    sessionId: string,
    opened: JsonRecord,
  ): Promise<JsonRecord> {
    const { title } = this.#agent;
    const { model, permissionMode: mode } = this.#setting;
    let facts = opened;
    for (const { method, params } of optionRequests(title, opened, { model, mode })) {
      try {
        const { configOptions = facts.configOptions } = await rpc.request(method, {
          ...params,
          sessionId,
        });
        const modes = { ...asRecord(facts.modes), ...compact({ currentModeId: params.modeId }) };
        facts = { ...facts, configOptions, modes };
      } catch (error) {
        if (!(error instanceof JsonRpcError)) throw error;
        throw new Error(`${title} refused ${method}: ${error.message}`, { cause: error });
      }
    }
    return facts;
  }

  #logOf(id: string): AcpSessionLog {
    return new AcpSessionLog(this.#logPath(id));
  }

  #logPath(id: string): string {
    return join(this.#paths.AGENT_STORAGE_DIR, acpLogName(id));
  }

  #notSupported(action: string): Error {
    const error = new Error(`${this.#agent.title} cannot ${action}; begin a new one.`);
    return Object.assign(error, { code: 'not_supported' });
  }
}

function toAcpServer(server: ProfileMcpServer): JsonRecord {
  const pairs = (map: Readonly<Record<string, string>> = {}) =>
    Object.entries(map).map(([name, value]) => ({ name, value }));
  const { name } = server;
  if ('url' in server)
    return { type: 'http', name, url: server.url, headers: pairs(server.headers) };
  return { name, command: server.command, args: server.args ?? [], env: pairs(server.env) };
}
