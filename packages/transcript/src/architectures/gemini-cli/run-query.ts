import { readFile } from 'node:fs/promises';
import { asArray, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import { JsonRpcConnection, JsonRpcError } from '../../process/json-rpc.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { promptParts } from '../acp/prompt-parts.ts';
import { toAcpOutcome, toAcpQuestion } from '../acp/questions.ts';
import type { AgentPaths, AgentQuery, TurnOutcome } from '../agent-architecture-adapter.ts';
import type {
  AgentPermissionMode,
  AgentProgram,
  AgentSetting,
  QueryRunner,
} from '../agent-program.ts';
import { isFileMissing } from '../file-missing.ts';
import { LiveTurn } from '../live-turn.ts';
import { askPermission } from '../permission-question.ts';
import { assertVersion, type ProgramFacts, toStartError } from '../program-errors.ts';
import { type RpcTurn, runRpcTurn } from '../rpc-turn.ts';
import { SessionTranslators } from '../session-translators.ts';
import { startProgram } from '../start-program.ts';
import { findChat, forkChat, prepareForResume } from './chats.ts';
import {
  geminiMcpFile,
  geminiPaths,
  geminiProfileFiles,
  geminiTranscriptFiles,
} from './profile.ts';
import { ToolDetails } from './tool-details.ts';
import { geminiTranscriptSource } from './transcript-source.ts';
import { createGeminiStreamTranslator } from './translate-stream.ts';

/** Gemini CLI, driven over the Agent Client Protocol. */
export const geminiProgram: AgentProgram = {
  type: 'gemini-cli',
  source: geminiTranscriptSource,
  paths: geminiPaths,
  profileFiles: geminiProfileFiles,
  transcriptFiles: geminiTranscriptFiles,
  findMainTranscript: findChat,
  createRunner: (setting, paths) => new GeminiRunner(setting, paths),
};

const FACTS: ProgramFacts = {
  title: 'Gemini CLI',
  command: 'gemini',
  npmPackage: '@google/gemini-cli',
  oldest: '0.47.0',
  tested: '0.61.0',
};

class GeminiRunner implements QueryRunner {
  readonly #setting: AgentSetting;
  readonly #paths: AgentPaths;
  readonly #translators = new SessionTranslators(createGeminiStreamTranslator);
  #connection: JsonRpcConnection | undefined;
  #sessions = new Set<string>();

  constructor(setting: AgentSetting, paths: AgentPaths) {
    this.#setting = setting;
    this.#paths = paths;
  }

  async *run(query: AgentQuery): AsyncGenerator<StreamEvent> {
    const opened = await this.#prepare(query);
    const connection = await this.#connect();
    const live = new LiveTurn(geminiTranscriptSource, this.#translators.of(query.sessionId));
    const turn = new GeminiTurn({ connection, live, query, paths: this.#paths }, async () => {
      const sessionId = await this.#openSession(connection, opened);
      this.#translators.rename(query.sessionId, sessionId);
      return sessionId;
    });
    yield* runRpcTurn(connection, live, { query, turn });
  }

  async close(): Promise<void> {
    const open = this.#connection;
    this.#connection = undefined;
    await open?.end();
  }

  /** A chat named after the current minute would be overwritten on resume, so it is renamed first. */
  async #prepare(query: AgentQuery): Promise<Opening> {
    const { sessionId, isNewSession, forkOf } = query;
    if (isNewSession && forkOf === undefined) return { method: 'session/new' };
    if (this.#connection?.isOpen && this.#sessions.has(sessionId)) {
      return { method: 'open', sessionId };
    }
    if (forkOf !== undefined && isNewSession) {
      return { method: 'session/load', sessionId: await forkChat(forkOf, this.#paths) };
    }
    await prepareForResume(sessionId, this.#paths);
    return { method: 'session/load', sessionId };
  }

  async #connect(): Promise<JsonRpcConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    const { model, home } = this.#setting;
    const args = ['--acp', ...(model === undefined ? [] : ['-m', model])];
    const environment = {
      GEMINI_CLI_HOME: home.homeDirectory,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: '1',
    };
    const program = await startProgram(FACTS, this.#setting, { args, environment });
    const connection = new JsonRpcConnection(program);
    try {
      const { agentInfo } = await connection.request('initialize', {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false } },
      });
      assertVersion(FACTS, asString(asRecord(agentInfo).version) ?? 'unknown');
    } catch (error) {
      await connection.end();
      throw toStartError(FACTS, error);
    }
    this.#sessions = new Set();
    this.#connection = connection;
    return connection;
  }

  async #openSession(connection: JsonRpcConnection, opening: Opening): Promise<string> {
    if (opening.method === 'open') return opening.sessionId;
    const loaded = opening.method === 'session/load' ? { sessionId: opening.sessionId } : {};
    const mcpServers = await readServers(geminiMcpFile(this.#paths));
    const params = { cwd: this.#paths.WORKSPACE_DIR, mcpServers, ...loaded };
    const opened = await this.#withSignIn(connection, () =>
      connection.request(opening.method, params),
    );
    const sessionId = asString(opened.sessionId) ?? loaded.sessionId ?? '';
    const modeId = MODES[this.#setting.permissionMode ?? 'default'];
    if (opening.method === 'session/load') await waitForReplay(connection, { sessionId, modeId });
    else if (modeId !== 'default') {
      await connection.request('session/set_mode', { sessionId, modeId });
    }
    this.#sessions.add(sessionId);
    return sessionId;
  }

  /** A separate home has no sign-in yet; signs in with the API key from the environment. */
  async #withSignIn(
    connection: JsonRpcConnection,
    open: () => Promise<JsonRecord>,
  ): Promise<JsonRecord> {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof JsonRpcError) || error.errorCode !== SIGN_IN_NEEDED) throw error;
      await connection.request('authenticate', { methodId: 'gemini-api-key' });
      return open();
    }
  }
}

type Opening =
  | { readonly method: 'session/new' }
  | { readonly method: 'session/load' | 'open'; readonly sessionId: string };

interface TurnParts {
  readonly connection: JsonRpcConnection;
  readonly live: LiveTurn;
  readonly query: AgentQuery;
  readonly paths: AgentPaths;
}

class GeminiTurn implements RpcTurn {
  readonly #parts: TurnParts;
  readonly #openSession: () => Promise<string>;
  readonly #stopped = new AbortController();
  #sessionId: string | undefined;
  #handled: Promise<void> = Promise.resolve();
  readonly #tools = new ToolDetails(() => this.findTranscript());

  constructor(parts: TurnParts, openSession: () => Promise<string>) {
    this.#parts = parts;
    this.#openSession = openSession;
  }

  readonly listener = {
    // Messages before the session is open are replays and setup responses.
    onMessage: (message: JsonRecord) => {
      if (this.#sessionId !== undefined) void this.#handle(message);
    },
    onRequest: (method: string, params: JsonRecord, message: JsonRecord) =>
      this.#answerRequest(method, params, message),
  };

  async run(): Promise<TurnOutcome> {
    const { connection, live, query } = this.#parts;
    const sessionId = await this.#openSession();
    this.#sessionId = sessionId;
    live.emit([{ type: 'metadata_update', metadata: { sessionId }, conversationId: 'main' }]);
    const params = { sessionId, prompt: promptParts(query) };
    await this.#handle({ jsonrpc: '2.0', method: 'session/prompt', params });
    if (query.signal?.aborted) this.interrupt();
    try {
      const { stopReason } = await connection.request('session/prompt', params);
      await this.#handled;
      if (stopReason === 'end_turn') return { status: 'completed' };
      if (stopReason === 'cancelled') {
        return { status: 'interrupted', reason: 'The turn was interrupted' };
      }
      return { status: 'failed', reason: `The turn ended early: ${String(stopReason)}` };
    } catch (error) {
      if (error instanceof JsonRpcError) return { status: 'failed', reason: error.message };
      return { status: 'interrupted', reason: `${FACTS.title} ended during the turn` };
    }
  }

  interrupt(): void {
    this.#stopped.abort();
    const sessionId = this.#sessionId;
    if (sessionId !== undefined) this.#parts.connection.notify('session/cancel', { sessionId });
  }

  async findTranscript(): Promise<string | undefined> {
    return this.#sessionId === undefined ? undefined : findChat(this.#sessionId, this.#parts.paths);
  }

  /** Handles messages in sequence: inputs and outputs of tools are emitted before the model continues. */
  #handle(message: JsonRecord): Promise<void> {
    this.#handled = this.#handled.then(async () => {
      const { live } = this.#parts;
      if (this.#tools.isDue(message)) live.emit(await this.#tools.complete(live.state));
      live.handle(message);
      this.#tools.read(message);
    });
    return this.#handled;
  }

  async #answerRequest(method: string, params: JsonRecord, message: JsonRecord): Promise<unknown> {
    if (method !== 'session/request_permission') throw new Error(`${method} is not supported`);
    const callId = asString(asRecord(params.toolCall).toolCallId) ?? '';
    const toolName = /^(.+?)(?:__|_\d)/.exec(callId)?.[1];
    const question = toAcpQuestion(params, { id: String(message.id), toolName });
    const { query } = this.#parts;
    const answer = await askPermission(query.onPermissionRequest, question, this.#stopped.signal);
    const result = {
      outcome: toAcpOutcome(answer, asArray(params.options), this.#stopped.signal),
    };
    await this.#handle({ jsonrpc: '2.0', id: message.id, result });
    return result;
  }
}

/** The end of a replay is not announced: it is over when several requests get nothing but their response. */
async function waitForReplay(
  connection: JsonRpcConnection,
  { sessionId, modeId }: { readonly sessionId: string; readonly modeId: string },
): Promise<void> {
  for (let quietRounds = 0; quietRounds < QUIET_ROUNDS; quietRounds++) {
    const before = connection.received;
    await connection.request('session/set_mode', { sessionId, modeId });
    if (connection.received > before + 1) quietRounds = 0;
  }
}

async function readServers(path: string): Promise<readonly unknown[]> {
  try {
    return asArray(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot read ${path}`, { cause: error });
  }
}

const MODES: Readonly<Record<AgentPermissionMode, string>> = {
  default: 'default',
  acceptEdits: 'autoEdit',
  plan: 'plan',
  bypassPermissions: 'yolo',
};

const SIGN_IN_NEEDED = -32000;
const QUIET_ROUNDS = 4;
