import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { StreamEvent } from '../../stream-events.ts';
import type { AgentPaths, AgentQuery } from '../agent-architecture-adapter.ts';
import type { AgentProgram, AgentSetting, QueryRunner } from '../agent-program.ts';
import { isFileMissing } from '../file-missing.ts';
import { assertVersion } from '../program-errors.ts';
import { startProgram } from '../start-program.ts';
import { CLAUDE_FACTS, ClaudeConnection } from './connection.ts';
import {
  claudeMainFile,
  claudeMcpFile,
  claudePaths,
  claudeProfileFiles,
  claudeTranscriptFiles,
} from './profile.ts';
import { claudeTranscriptSource } from './transcript-source.ts';

/** Claude Code, driven over `stream-json` in both directions. */
export const claudeProgram: AgentProgram = {
  type: 'claude-agent-sdk',
  source: claudeTranscriptSource,
  paths: claudePaths,
  profileFiles: claudeProfileFiles,
  transcriptFiles: claudeTranscriptFiles,
  findMainTranscript: (sessionId, paths) => findMain(sessionId, paths),
  createRunner: (setting, paths) => new ClaudeRunner(setting, paths),
};

/** Used only if the program's help lists them, since not every version has them. */
const OPTIONAL_FLAGS = [
  '--include-partial-messages',
  '--forward-subagent-text',
  '--replay-user-messages',
] as const;

interface ProgramFeatures {
  readonly version: string;
  readonly flags: readonly string[];
}

class ClaudeRunner implements QueryRunner {
  readonly #setting: AgentSetting;
  readonly #paths: AgentPaths;
  #features: ProgramFeatures | undefined;
  #connection: { readonly sessionId: string; readonly to: ClaudeConnection } | undefined;

  constructor(setting: AgentSetting, paths: AgentPaths) {
    this.#setting = setting;
    this.#paths = paths;
  }

  async *run(asked: AgentQuery): AsyncGenerator<StreamEvent> {
    const query = withUuid(asked);
    const { sessionId } = query;
    if (query !== asked) {
      yield { type: 'metadata_update', metadata: { sessionId }, conversationId: 'main' };
    }
    const connection = await this.#connect(query);
    try {
      yield* connection.ask(query, () => findMain(sessionId, this.#paths));
    } finally {
      if (!connection.isIdle) await this.close();
    }
  }

  async close(): Promise<void> {
    const open = this.#connection;
    this.#connection = undefined;
    await open?.to.end();
  }

  async #connect(query: AgentQuery): Promise<ClaudeConnection> {
    const open = this.#connection;
    if (open?.sessionId === query.sessionId && open.to.isIdle && !query.isNewSession)
      return open.to;
    await this.close();
    const { version, flags } = await this.#detectFeatures();
    const args = [
      ...this.#fixedArgs(),
      ...flags,
      ...(await this.#profileArgs()),
      ...sessionArgs(query),
    ];
    const environment = this.#environment();
    const program = await startProgram(CLAUDE_FACTS, this.#setting, { args, environment });
    const to = new ClaudeConnection(program, version);
    this.#connection = { sessionId: query.sessionId, to };
    return to;
  }

  /** Detects version and supported flags from the program's own output. */
  async #detectFeatures(): Promise<ProgramFeatures> {
    if (this.#features !== undefined) return this.#features;
    const [version, help] = await Promise.all([
      this.#outputOf('--version'),
      this.#outputOf('--help'),
    ]);
    this.#features = {
      version: assertVersion(CLAUDE_FACTS, version),
      flags: OPTIONAL_FLAGS.filter((flag) => help.includes(flag)),
    };
    return this.#features;
  }

  async #outputOf(flag: string): Promise<string> {
    const { home, program, environment } = this.#setting;
    const asked = await startProgram(
      CLAUDE_FACTS,
      { home, program, environment },
      { args: [flag], environment: this.#environment() },
    );
    let text = '';
    for await (const line of asked.lines) text += `${line}\n`;
    const { complaint } = await asked.exited;
    return (text || complaint).trim();
  }

  /** In the user's own home the variable would make the program ignore the user's settings. */
  #environment() {
    const isOwn = this.#setting.home.homeDirectory === homedir();
    const configured = isOwn ? {} : { CLAUDE_CONFIG_DIR: this.#paths.AGENT_PROFILE_DIR };
    return { ...configured, DISABLE_AUTOUPDATER: '1' };
  }

  #fixedArgs(): string[] {
    const { model, permissionMode, systemPrompt } = this.#setting;
    return [
      '--print',
      ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
      ...['--permission-prompt-tool', 'stdio'],
      ...(permissionMode === undefined ? [] : ['--permission-mode', permissionMode]),
      ...(model === undefined ? [] : ['--model', model]),
      ...(systemPrompt === undefined ? [] : ['--append-system-prompt', systemPrompt]),
    ];
  }

  async #profileArgs(): Promise<string[]> {
    const file = claudeMcpFile(this.#paths);
    return (await exists(file)) ? ['--mcp-config', file] : [];
  }
}

/** The program accepts only UUIDs; a session with another id gets a UUID. */
function withUuid(query: AgentQuery): AgentQuery {
  if (!query.isNewSession || UUID.test(query.sessionId)) return query;
  return { ...query, sessionId: randomUUID() };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function sessionArgs({ sessionId, isNewSession, forkOf }: AgentQuery): string[] {
  if (!isNewSession) return ['--resume', sessionId];
  if (forkOf === undefined) return ['--session-id', sessionId];
  return ['--resume', forkOf, '--fork-session', '--session-id', sessionId];
}

async function findMain(sessionId: string, paths: AgentPaths): Promise<string | undefined> {
  const path = claudeMainFile(sessionId, paths);
  return (await exists(path)) ? path : undefined;
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isFileMissing(error)) return false;
    throw new Error(`Cannot access ${path}`, { cause: error });
  }
}
