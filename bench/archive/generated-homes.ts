import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface GeneratedHome {
  readonly sessions: number;
  /** Blocks of an average session. */
  readonly blocks: number;
}

/** The home of a user with a year of three agents: mostly Claude Code, some Codex, some Gemini CLI. */
export function writeGeneratedHome(home: string, { sessions, blocks }: GeneratedHome): void {
  const random = new Random(42);
  for (let number = 0; number < sessions; number++) {
    const turns = Math.max(1, Math.round((blocks / 5) * (0.3 + random.next() * 1.4)));
    const start = 1_760_000_000_000 + Math.floor((number / sessions) * 30_000_000_000);
    const write = WRITERS[number % WRITERS.length] ?? claude;
    const { path, lines } = write({ home, number, turns, start, random });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }
}

const WRITERS = [claude, claude, codex, claude, claude, gemini, claude, codex, claude, claude];

interface Plan {
  readonly home: string;
  readonly number: number;
  readonly turns: number;
  readonly start: number;
  readonly random: Random;
}

function claude({ home, number, turns, start, random }: Plan) {
  const sessionId = uuid(number);
  const lines: object[] = [];
  let parent: string | null = null;
  const add = (turn: number, part: string, fields: object) => {
    const id = `${random.uuid()}`;
    const timestamp = new Date(start + turn * 60_000).toISOString();
    const own = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: `/project/p${number % 80}`,
    };
    const about = { sessionId, version: '2.1.325', gitBranch: 'main', uuid: id, timestamp };
    lines.push({ ...own, ...about, ...fields, part });
    parent = id;
  };
  for (let turn = 0; turn < turns; turn++) {
    const asked = [random.id(24), random.id(24)];
    const message = (content: object, request = 0) => ({
      id: `msg_${asked[request]}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [content],
      usage: {
        input_tokens: 10,
        output_tokens: 200,
        cache_read_input_tokens: 40_000,
        cache_creation_input_tokens: 900,
      },
    });
    const tool = `toolu_${random.id(24)}`;
    const output = random.words(120);
    add(turn, 'u', { type: 'user', message: { role: 'user', content: random.words(30) } });
    add(turn, 't', {
      type: 'assistant',
      message: message({ type: 'thinking', thinking: random.words(50), signature: random.id(200) }),
    });
    add(turn, 'c', {
      type: 'assistant',
      message: message({
        type: 'tool_use',
        id: tool,
        name: 'Bash',
        input: { command: random.words(8) },
      }),
    });
    add(turn, 'r', {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: tool, content: output }],
      },
      toolUseResult: { stdout: output, stderr: '', interrupted: false },
    });
    add(turn, 'a', {
      type: 'assistant',
      message: message({ type: 'text', text: random.words(70) }, 1),
    });
  }
  return {
    path: join(home, '.claude/projects', `-work-p${number % 80}`, `${sessionId}.jsonl`),
    lines,
  };
}

function codex({ home, number, turns, start, random }: Plan) {
  const threadId = uuid(number);
  const day = new Date(start).toISOString().slice(0, 10);
  const header = {
    id: threadId,
    session_id: threadId,
    cwd: `/project/p${number % 80}`,
    cli_version: '0.166.0',
  };
  const lines: object[] = [
    { timestamp: new Date(start).toISOString(), type: 'session_meta', payload: header },
  ];
  for (let turn = 0; turn < turns; turn++) {
    const timestamp = new Date(start + turn * 60_000).toISOString();
    const item = (payload: object) => lines.push({ timestamp, type: 'response_item', payload });
    const event = (payload: object) => lines.push({ timestamp, type: 'event_msg', payload });
    const [prompt, answer] = [random.words(30), random.words(70)];
    const call_id = `call_${random.id(24)}`;
    lines.push({
      timestamp,
      type: 'turn_context',
      payload: { turn_id: random.uuid(), cwd: '/work', model: 'gpt-5-codex' },
    });
    event({ type: 'user_message', message: prompt });
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] });
    item({
      type: 'reasoning',
      id: `rs_${random.id(24)}`,
      summary: [{ type: 'summary_text', text: random.words(30) }],
    });
    item({
      type: 'function_call',
      name: 'shell',
      arguments: JSON.stringify({ command: random.words(8) }),
      call_id,
    });
    item({ type: 'function_call_output', call_id, output: random.words(120) });
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] });
    event({ type: 'agent_message', message: answer });
    const usage = { input_tokens: 30_000, cached_input_tokens: 25_000, output_tokens: 300 };
    lines.push({
      timestamp,
      type: 'token_usage_record',
      payload: { response_id: `resp_${random.id(24)}`, usage },
    });
  }
  const name = `rollout-${day}T10-00-00-${threadId}.jsonl`;
  return { path: join(home, '.codex/sessions', day.replaceAll('-', '/'), name), lines };
}

function gemini({ home, number, turns, start, random }: Plan) {
  const sessionId = uuid(number);
  const startTime = new Date(start).toISOString();
  const lines: object[] = [{ sessionId, projectHash: 'p', startTime, lastUpdated: startTime }];
  for (let turn = 0; turn < turns; turn++) {
    const timestamp = new Date(start + turn * 60_000).toISOString();
    const tokens = { input: 9000, output: 300, cached: 100, thoughts: 50, tool: 0, total: 9350 };
    lines.push({
      id: random.uuid(),
      timestamp,
      type: 'user',
      content: [{ text: random.words(30) }],
    });
    lines.push({
      id: random.uuid(),
      timestamp,
      type: 'gemini',
      content: random.words(140),
      thoughts: [{ subject: 'Thinking', description: random.words(30), timestamp }],
      tokens,
      model: 'gemini-2.5-pro',
    });
  }
  const name = `session-${startTime.slice(0, 16).replace(':', '-')}-${sessionId.slice(0, 8)}.jsonl`;
  return { path: join(home, '.gemini/tmp', `p${number % 80}`, 'chats', name), lines };
}

function uuid(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-1111-4222-8333-444444444444`;
}

/** A seeded random generator. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 4_294_967_296;
  }

  /** About `count` consecutive words of real documentation and code; every hundredth text is Chinese. */
  words(count: number): string {
    if (this.next() < 0.01) return '这个解析器很快，模块已经更新。'.repeat(Math.ceil(count / 8));
    const start = Math.floor(this.next() * (TEXT.length - count * 7));
    return TEXT.slice(start, start + count * 7);
  }

  id(length: number): string {
    let id = '';
    while (id.length < length)
      id += Math.floor(this.next() * 2_176_782_336)
        .toString(36)
        .padStart(6, '0');
    return id.slice(0, length);
  }

  uuid(): string {
    const hex = Array.from({ length: 4 }, () =>
      Math.floor(this.next() * 4_294_967_296)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

/** Documentation and types of the installed packages. */
const TEXT = textBelow(join(import.meta.dirname, '../../node_modules'), 6_000_000);

function textBelow(folder: string, most: number): string {
  const pieces: string[] = [];
  let length = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/(README\.md|\.d\.ts)$/.test(name) || length > most) continue;
    const text = readFileSync(join(folder, name), 'utf8').slice(0, 40_000);
    pieces.push(text);
    length += text.length;
  }
  return pieces.join('\n');
}
