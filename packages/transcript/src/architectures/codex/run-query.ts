import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asRecord, asString, type JsonRecord } from '../../json-record.ts';
import { JsonRpcConnection, JsonRpcError } from '../../process/json-rpc.ts';
import type { StreamEvent } from '../../stream-events.ts';
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
import { interruptedByExit } from '../turn-outcome.ts';
import { codexPaths, codexProfileFiles, codexTranscriptFiles } from './profile.ts';
import { toCodexQuestion } from './questions.ts';
import { codexTranscriptSource } from './transcript-source.ts';
import { createCodexStreamTranslator } from './translate-stream.ts';

/** Codex, driven through its app-server. */
export const codexProgram: AgentProgram = {
  type: 'codex',
  source: codexTranscriptSource,
  paths: codexPaths,
  profileFiles: codexProfileFiles,
  transcriptFiles: codexTranscriptFiles,
  findMainTranscript: findRollout,
  createRunner: (setting, paths) => new CodexRunner(setting, paths),
};

const FACTS: ProgramFacts = {
  title: 'Codex',
  command: 'codex',
  npmPackage: '@openai/codex',
  oldest: '0.148.0',
  tested: '0.166.0',
};

class CodexRunner implements QueryRunner {
  readonly #setting: AgentSetting;
  readonly #paths: AgentPaths;
  readonly #translators = new SessionTranslators(createCodexStreamTranslator);
  #connection: JsonRpcConnection | undefined;
  #canExcludeTurns = true;
  /** Threads the running program has in memory. */
  #threads = new Set<string>();

  constructor(setting: AgentSetting, paths: AgentPaths) {
    this.#setting = setting;
    this.#paths = paths;
  }

  async *run(query: AgentQuery): AsyncGenerator<StreamEvent> {
    const connection = await this.#connect();
    const live = new LiveTurn(codexTranscriptSource, this.#translators.of(query.sessionId));
    const turn = new CodexTurn({ connection, live, query, paths: this.#paths }, () =>
      this.#openThread(connection, query),
    );
    yield* runRpcTurn(connection, live, { query, turn });
  }

  async close(): Promise<void> {
    const open = this.#connection;
    this.#connection = undefined;
    await open?.end();
  }

  async #connect(): Promise<JsonRpcConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    const environment = { CODEX_HOME: this.#paths.AGENT_PROFILE_DIR };
    // The program requires an existing home.
    await mkdir(this.#paths.AGENT_PROFILE_DIR, { recursive: true, mode: 0o700 });
    const start = { args: ['app-server'], environment };
    const connection = new JsonRpcConnection(await startProgram(FACTS, this.#setting, start));
    try {
      const clientInfo = { name: 'robota', title: 'Robota', version: '0.2.0' };
      const { userAgent } = await connection.request('initialize', { clientInfo });
      assertVersion(FACTS, /\/(\d+\.\d+\.\d+)/.exec(asString(userAgent) ?? '')?.[1] ?? 'unknown');
      connection.notify('initialized');
    } catch (error) {
      await connection.end();
      throw toStartError(FACTS, error);
    }
    this.#threads = new Set();
    this.#connection = connection;
    return connection;
  }

  async #openThread(connection: JsonRpcConnection, query: AgentQuery): Promise<string> {
    if (this.#threads.has(query.sessionId)) return query.sessionId;
    const { thread } = await this.#requestThread(connection, query);
    const threadId = asString(asRecord(thread).id) ?? query.sessionId;
    this.#threads.add(threadId);
    this.#translators.rename(query.sessionId, threadId);
    return threadId;
  }

  /** Excludes the history from the response, which can be long; older versions reject that option. */
  async #requestThread(connection: JsonRpcConnection, query: AgentQuery): Promise<JsonRecord> {
    const { method, params } = this.#openRequest(query);
    try {
      return await connection.request(method, params);
    } catch (error) {
      const isRefused = error instanceof JsonRpcError && error.message.includes('excludeTurns');
      if (!isRefused || !this.#canExcludeTurns) throw error;
      this.#canExcludeTurns = false;
      return this.#requestThread(connection, query);
    }
  }

  #openRequest({ sessionId, isNewSession, forkOf }: AgentQuery): {
    method: string;
    params: object;
  } {
    const { model, permissionMode = 'default' } = this.#setting;
    const cwd = this.#paths.WORKSPACE_DIR;
    const params = { cwd, ...(model !== undefined && { model }), ...POLICIES[permissionMode] };
    const known = { ...params, ...(this.#canExcludeTurns && { excludeTurns: true }) };
    if (!isNewSession)
      return { method: 'thread/resume', params: { ...known, threadId: sessionId } };
    if (forkOf === undefined) return { method: 'thread/start', params };
    return { method: 'thread/fork', params: { ...known, threadId: forkOf } };
  }
}

interface TurnParts {
  readonly connection: JsonRpcConnection;
  readonly live: LiveTurn;
  readonly query: AgentQuery;
  readonly paths: AgentPaths;
}

class CodexTurn implements RpcTurn {
  readonly #parts: TurnParts;
  readonly #openThread: () => Promise<string>;
  readonly #stopped = new AbortController();
  #threadId: string | undefined;
  #turnId: string | undefined;
  #end: (outcome: TurnOutcome) => void = () => undefined;

  constructor(parts: TurnParts, openThread: () => Promise<string>) {
    this.#parts = parts;
    this.#openThread = openThread;
  }

  readonly listener = {
    onMessage: (message: JsonRecord) => {
      this.#parts.live.handle(message);
      if (message.method === 'turn/completed') this.#completed(asRecord(message.params));
    },
    onRequest: (method: string, params: JsonRecord, message: JsonRecord) =>
      this.#answerRequest(method, params, message),
  };

  async run(): Promise<TurnOutcome> {
    const { connection, live, query } = this.#parts;
    this.#threadId = await this.#openThread();
    live.emit([
      {
        type: 'metadata_update',
        metadata: { sessionId: this.#threadId },
        conversationId: 'main',
      },
    ]);
    const ended = new Promise<TurnOutcome>((resolve) => {
      this.#end = resolve;
    });
    const { turn } = await connection.request('turn/start', {
      threadId: this.#threadId,
      clientUserMessageId: randomUUID(),
      input: turnInput(query),
    });
    this.#turnId = asString(asRecord(turn).id);
    if (query.signal?.aborted) this.interrupt();
    const exited = connection.closed.then((exit) => interruptedByExit(FACTS.title, exit));
    return Promise.race([ended, exited]);
  }

  interrupt(): void {
    this.#stopped.abort();
    const { connection } = this.#parts;
    const params = { threadId: this.#threadId, turnId: this.#turnId };
    // The result does not matter: the program is ended afterwards.
    if (this.#turnId) connection.request('turn/interrupt', params).catch(() => undefined);
  }

  async findTranscript(): Promise<string | undefined> {
    return this.#threadId === undefined
      ? undefined
      : findRollout(this.#threadId, this.#parts.paths);
  }

  #completed(params: JsonRecord): void {
    if (params.threadId !== this.#threadId) return;
    const turn = asRecord(params.turn);
    const reason = asString(asRecord(turn.error).message);
    if (turn.status === 'completed') this.#end({ status: 'completed' });
    else if (turn.status === 'failed')
      this.#end({ status: 'failed', reason: reason ?? 'The turn failed' });
    else this.#end({ status: 'interrupted', reason: reason ?? 'The turn was interrupted' });
  }

  async #answerRequest(method: string, params: JsonRecord, message: JsonRecord): Promise<unknown> {
    const isMain = params.threadId === this.#threadId;
    const conversationId = isMain ? 'main' : String(params.threadId);
    const asked = toCodexQuestion(method, params, { id: String(message.id), conversationId });
    if (asked === undefined) throw new Error(`${method} is not supported`);
    const { onPermissionRequest } = this.#parts.query;
    const { question, toResponse } = asked;
    return toResponse(await askPermission(onPermissionRequest, question, this.#stopped.signal));
  }
}

const POLICIES: Readonly<Record<AgentPermissionMode, object>> = {
  default: { approvalPolicy: 'untrusted', sandbox: 'workspace-write' },
  acceptEdits: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  plan: { approvalPolicy: 'on-request', sandbox: 'read-only' },
  bypassPermissions: { approvalPolicy: 'never', sandbox: 'danger-full-access' },
};

/** The newest rollout of the thread; a reverted thread has several. */
async function findRollout(sessionId: string, paths: AgentPaths): Promise<string | undefined> {
  try {
    const names = await readdir(paths.AGENT_STORAGE_DIR, { recursive: true });
    const own = names.filter(
      (name) => name.endsWith(`-${sessionId}.jsonl`) || name.includes(`-${sessionId}_`),
    );
    const newest = own.sort().at(-1);
    return newest === undefined ? undefined : join(paths.AGENT_STORAGE_DIR, newest);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot list ${paths.AGENT_STORAGE_DIR}`, { cause: error });
  }
}

function turnInput({ query, images = [] }: AgentQuery): object[] {
  const sent = images.map(({ source: { data, mediaType } }) => ({
    type: 'image',
    url: `data:${mediaType};base64,${data}`,
  }));
  return [{ type: 'text', text: query, text_elements: [] }, ...sent];
}
