import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** One prompt and its answer, with a tool in between where one is given. */
export interface Turn {
  readonly id: string;
  readonly prompt: string;
  readonly answer: string;
  readonly tool?: { readonly command: string; readonly output: string };
  readonly model?: string;
  /** ISO 8601. */
  readonly at?: string;
}

export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'robota-archive-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export function writeLines(path: string, lines: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, toText(lines));
}

export function appendLines(path: string, lines: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, toText(lines));
}

function toText(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const TIME = '2026-11-01T10:00:00.000Z';

export interface ClaudeContext {
  readonly sessionId: string;
  readonly cwd?: string;
  readonly parent?: string | null;
  /** Marks the lines as copied from another session. */
  readonly forkedFrom?: string;
}

/** The lines Claude Code writes for a turn. */
export function claudeTurn(turn: Turn, context: ClaudeContext): object[] {
  const { sessionId, cwd = '/work', parent = null, forkedFrom } = context;
  const { id, prompt, answer, tool, model = 'claude-sonnet-4-5', at = TIME } = turn;
  const line = (uuid: string, parentUuid: string | null, fields: object) => ({
    parentUuid,
    sessionId,
    cwd,
    version: '2.1.325',
    gitBranch: 'main',
    uuid,
    timestamp: at,
    ...(forkedFrom !== undefined && { forkedFrom: { sessionId: forkedFrom, messageUuid: uuid } }),
    ...fields,
  });
  const usage = { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 300 };
  const assistant = (message: string, content: object) => ({
    type: 'assistant',
    message: {
      id: `msg_${message}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [content],
      usage,
    },
  });
  const said = line(`${id}-u`, parent, {
    type: 'user',
    message: { role: 'user', content: prompt },
  });
  const text = { type: 'text', text: answer };
  if (tool === undefined) return [said, line(`${id}-a`, `${id}-u`, assistant(id, text))];
  const call = {
    type: 'tool_use',
    id: `toolu_${id}`,
    name: 'Bash',
    input: { command: tool.command },
  };
  const result = { type: 'tool_result', tool_use_id: `toolu_${id}`, content: tool.output };
  return [
    said,
    line(`${id}-t`, `${id}-u`, assistant(`${id}t`, call)),
    line(`${id}-r`, `${id}-t`, {
      type: 'user',
      message: { role: 'user', content: [result] },
      toolUseResult: { stdout: tool.output },
    }),
    line(`${id}-a`, `${id}-r`, assistant(id, text)),
  ];
}

export function claudePath(home: string, sessionId: string, project = '-work'): string {
  return join(home, '.claude/projects', project, `${sessionId}.jsonl`);
}

/** A whole session of Claude Code, each turn after the one before. */
export function claudeLines(turns: readonly Turn[], context: ClaudeContext): object[] {
  let parent: string | null = context.parent ?? null;
  return turns.flatMap((turn) => {
    const lines = claudeTurn(turn, { ...context, parent });
    parent = `${turn.id}-a`;
    return lines;
  });
}

export function codexPath(home: string, threadId: string, day = '2026/11/01'): string {
  const name = `rollout-${day.replaceAll('/', '-')}T10-00-00-${threadId}.jsonl`;
  return join(home, '.codex/sessions', day, name);
}

export function codexHeader(threadId: string, cwd = '/work'): object {
  const payload = { id: threadId, session_id: threadId, cwd, cli_version: '0.166.0' };
  return { timestamp: TIME, type: 'session_meta', payload };
}

/** The lines Codex writes for a turn. */
export function codexTurn({
  id,
  prompt,
  answer,
  model = 'gpt-5-codex',
  at = TIME,
}: Turn): object[] {
  const usage = { input_tokens: 1000, cached_input_tokens: 400, output_tokens: 20 };
  const message = (role: string, type: string, text: string) => ({
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text }] },
  });
  return [
    { type: 'turn_context', payload: { turn_id: id, cwd: '/work', model } },
    { type: 'event_msg', payload: { type: 'user_message', message: prompt } },
    message('user', 'input_text', prompt),
    message('assistant', 'output_text', answer),
    { type: 'event_msg', payload: { type: 'agent_message', message: answer } },
    { type: 'token_usage_record', payload: { response_id: `resp-${id}`, usage } },
  ].map((line) => ({ timestamp: at, ...line }));
}

export function geminiPath(home: string, sessionId: string, project = 'work'): string {
  const name = `session-2026-11-01T10-00-${sessionId.slice(0, 8)}.jsonl`;
  return join(home, '.gemini/tmp', project, 'chats', name);
}

export function geminiHeader(sessionId: string): object {
  return { sessionId, projectHash: 'p', startTime: TIME, lastUpdated: TIME };
}

/** The lines Gemini CLI writes for a turn. */
export function geminiTurn({
  id,
  prompt,
  answer,
  model = 'gemini-2.5-pro',
  at = TIME,
}: Turn): object[] {
  const tokens = { input: 900, output: 30, cached: 100, thoughts: 5, tool: 0, total: 935 };
  return [
    { id: `${id}-u`, timestamp: at, type: 'user', content: [{ text: prompt }] },
    { id: `${id}-g`, timestamp: at, type: 'gemini', content: answer, thoughts: [], tokens, model },
  ];
}

export function piPath(home: string, sessionId: string): string {
  return join(home, '.pi/agent/sessions/--work--', `2026-11-01T10-00-00_${sessionId}.jsonl`);
}

export function piHeader(sessionId: string): object {
  return { type: 'session', version: 3, id: sessionId, timestamp: TIME, cwd: '/work' };
}

/** The lines pi writes for a turn. */
export function piTurn({ id, prompt, answer, model = 'gpt-5-codex', at = TIME }: Turn): object[] {
  const usage = { input: 10, output: 5, cacheRead: 2, cacheWrite: 1, cost: { total: 0.5 } };
  const entry = (own: string, parentId: string | null, message: object) => ({
    type: 'message',
    id: own,
    parentId,
    timestamp: at,
    message,
  });
  const text = (words: string) => [{ type: 'text', text: words }];
  return [
    entry(`${id}-u`, null, { role: 'user', content: text(prompt) }),
    entry(`${id}-a`, `${id}-u`, { role: 'assistant', model, usage, content: text(answer) }),
  ];
}
