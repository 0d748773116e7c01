import { stat } from 'node:fs/promises';
import type { StreamEvent } from '../../stream-events.ts';
import type { AgentPaths, AgentQuery } from '../agent-architecture-adapter.ts';
import type { AgentProgram, AgentSetting, QueryRunner } from '../agent-program.ts';
import { isFileMissing } from '../file-missing.ts';
import { assertVersion, type ProgramFacts } from '../program-errors.ts';
import { startProgram } from '../start-program.ts';
import { ClaudeConnection } from './connection.ts';
import {
  claudeMainFile,
  claudeMcpFile,
  claudePaths,
  claudeProfileFiles,
  claudeTranscriptFiles,
} from './profile.ts';
import { claudeTranscriptSource } from './transcript-source.ts';

/** Claude Code, talked to in `stream-json` both ways. */
export const claudeProgram: AgentProgram = {
  type: 'claude-agent-sdk',
  source: claudeTranscriptSource,
  paths: claudePaths,
  profileFiles: claudeProfileFiles,
  transcriptFiles: claudeTranscriptFiles,
  findMainTranscript: (sessionId, paths) => findMain(sessionId, paths),
  createRunner: (setting, paths) => new ClaudeRunner(setting, paths),
};

const FACTS: ProgramFacts = {
  title: 'Claude Code',
  command: 'claude',
  npmPackage: '@anthropic-ai/claude-code',
  oldest: '2.1.200',
  tested: '2.1.325',
};

class ClaudeRunner implements QueryRunner {
  readonly #setting: AgentSetting;
  readonly #paths: AgentPaths;
  #isVersionKnown = false;
  #connection: { readonly sessionId: string; readonly to: ClaudeConnection } | undefined;

  constructor(setting: AgentSetting, paths: AgentPaths) {
    this.#setting = setting;
    this.#paths = paths;
  }

  async *run(query: AgentQuery): AsyncGenerator<StreamEvent> {
    const connection = await this.#connect(query);
    try {
      yield* connection.ask(query, () => findMain(query.sessionId, this.#paths));
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
    await this.#checkVersion();
    const args = [...this.#fixedArgs(), ...(await this.#profileArgs()), ...sessionArgs(query)];
    const environment = this.#environment();
    const program = await startProgram(FACTS, this.#setting, { args, environment });
    const to = new ClaudeConnection(program);
    this.#connection = { sessionId: query.sessionId, to };
    return to;
  }

  async #checkVersion(): Promise<void> {
    if (this.#isVersionKnown) return;
    const { home, program, environment } = this.#setting;
    const asked = await startProgram(
      FACTS,
      { home, program, environment },
      { args: ['--version'], environment: this.#environment() },
    );
    let text = '';
    for await (const line of asked.lines) text += `${line}\n`;
    const { complaint } = await asked.exited;
    assertVersion(FACTS, (text || complaint).trim());
    this.#isVersionKnown = true;
  }

  #environment() {
    return { CLAUDE_CONFIG_DIR: this.#paths.AGENT_PROFILE_DIR, DISABLE_AUTOUPDATER: '1' };
  }

  #fixedArgs(): string[] {
    const { model, permissionMode, systemPrompt } = this.#setting;
    return [
      '--print',
      ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
      ...['--include-partial-messages', '--forward-subagent-text', '--replay-user-messages'],
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
    throw new Error(`Cannot look at ${path}`, { cause: error });
  }
}
