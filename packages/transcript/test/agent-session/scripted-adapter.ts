import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseTranscripts, type StreamEvent } from '@robota-sdk/agent-transcript';
import type {
  AgentArchitectureAdapter,
  AgentQuery,
  AgentSetting,
} from '@robota-sdk/agent-transcript/architectures';

/** An agent without a program: it writes Claude Code transcripts and emits what the test scripts. */
export class ScriptedAdapter implements AgentArchitectureAdapter {
  readonly type = 'claude-agent-sdk';
  readonly queries: AgentQuery[] = [];
  closed = 0;
  readonly #setting: AgentSetting;
  readonly #script: Script;

  constructor(setting: AgentSetting, script: Script) {
    this.#setting = setting;
    this.#script = script;
  }

  getPaths() {
    const { homeDirectory, workspaceDirectory } = this.#setting.home;
    return {
      AGENT_STORAGE_DIR: join(homeDirectory, 'transcripts'),
      WORKSPACE_DIR: workspaceDirectory,
      AGENT_PROFILE_DIR: homeDirectory,
      AGENT_MD_FILE: join(homeDirectory, 'AGENT.md'),
    };
  }

  async setupAgentProfile({ agentProfile, writeFile }: Setup<'setupAgentProfile'>) {
    await writeFile(this.getPaths().AGENT_MD_FILE, agentProfile.agentMDFile ?? '');
  }

  async setupSessionTranscripts(setup: Setup<'setupSessionTranscripts'>) {
    const { sessionId, transcripts, writeFile } = setup;
    if (transcripts.main !== undefined) await writeFile(this.#file(sessionId), transcripts.main);
  }

  async findTranscripts(sessionId: string) {
    const main = this.#file(sessionId);
    return { main: existsSync(main) ? main : undefined, subagents: [] };
  }

  async *executeQuery(query: AgentQuery): AsyncGenerator<StreamEvent> {
    this.queries.push(query);
    yield* this.#script(query, (text) => this.write(query.sessionId, text));
  }

  parseTranscripts(raw: Parameters<AgentArchitectureAdapter['parseTranscripts']>[0]) {
    return parseTranscripts('claude-agent-sdk', raw);
  }

  async close() {
    this.closed++;
  }

  write(sessionId: string, text: string): void {
    mkdirSync(dirname(this.#file(sessionId)), { recursive: true });
    appendFileSync(this.#file(sessionId), text);
  }

  #file(sessionId: string): string {
    return join(this.getPaths().AGENT_STORAGE_DIR, `${sessionId}.jsonl`);
  }
}

export type Script = (
  query: AgentQuery,
  write: (text: string) => void,
) => AsyncGenerator<StreamEvent>;

type Setup<Method extends 'setupAgentProfile' | 'setupSessionTranscripts'> = Parameters<
  AgentArchitectureAdapter[Method]
>[0];

export function textLine(uuid: string, content: string): string {
  const timestamp = '2026-11-15T10:00:00.000Z';
  const message = { role: 'user', content };
  return `${JSON.stringify({ type: 'user', uuid, parentUuid: null, timestamp, message })}\n`;
}

export function textEvent(id: string, content: string): StreamEvent {
  const timestamp = '2026-11-15T10:00:00.000Z';
  const block = { type: 'user_message', id, timestamp, content } as const;
  return { type: 'block_complete', blockId: id, block, conversationId: 'main' };
}

export const COMPLETED: StreamEvent = {
  type: 'metadata_update',
  metadata: { lastTurn: { status: 'completed' } },
  conversationId: 'main',
};
