import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** Violations of the programs' and vendors' requirements for a session file; empty if it is accepted. */
export function checkLines(type: string, lines: readonly string[]): readonly string[] {
  const records = lines.map((line) => JSON.parse(line) as Json);
  const check = CHECKERS[type];
  if (check === undefined) throw new Error(`Nobody checks ${type}`);
  return check(records);
}

const CHECKERS: Readonly<Record<string, (records: readonly Json[]) => readonly string[]>> = {
  'claude-agent-sdk': checkClaude,
  codex: checkCodex,
  'gemini-cli': checkGemini,
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const WIRE = /^[A-Za-z0-9_-]{1,64}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Checks calls and results in order: one result per call, after it and before the next message. */
class Pairs {
  readonly problems: string[] = [];
  readonly #known = new Set<string>();
  readonly #open = new Set<string>();

  ask(id: unknown, name: unknown): void {
    if (!WIRE.test(String(id))) this.problems.push(`id ${String(id)}`);
    if (!WIRE.test(String(name))) this.problems.push(`name ${String(name)}`);
    if (this.#known.has(String(id))) this.problems.push(`${String(id)} is asked twice`);
    this.#known.add(String(id));
    this.#open.add(String(id));
  }

  answer(id: unknown): void {
    if (!this.#open.delete(String(id))) this.problems.push(`${String(id)} was not asked`);
  }

  speak(): void {
    for (const id of this.#open) this.problems.push(`${id} is not answered`);
    this.#open.clear();
  }
}

function checkClaude(records: readonly Json[]): readonly string[] {
  const pairs = new Pairs();
  const { problems } = pairs;
  let parent: unknown = null;
  let message: unknown;
  for (const record of records) {
    if (!UUID.test(String(record.uuid))) problems.push(`uuid ${String(record.uuid)}`);
    if (!TIME.test(String(record.timestamp))) problems.push(`time ${String(record.timestamp)}`);
    if (record.parentUuid !== parent) problems.push(`${String(record.uuid)} leaves the chain`);
    if (!UUID.test(String(record.sessionId))) problems.push('sessionId');
    if (typeof record.cwd !== 'string' || record.isSidechain !== false) problems.push('fields');
    parent = record.uuid;
    const { content, id, model } = (record.message ?? {}) as Json;
    if (record.type === 'assistant' && (model === '<synthetic>' || typeof id !== 'string'))
      problems.push('message');
    if (record.type === 'assistant' && id !== message) pairs.speak();
    message = record.type === 'assistant' ? id : message;
    const parts = (Array.isArray(content) ? content : []) as Json[];
    if (record.type === 'user' && !parts.some(({ type }) => type === 'tool_result')) pairs.speak();
    if (record.type !== 'system' && (content === '' || isDeepStrictEqual(content, [])))
      problems.push('empty message');
    for (const part of parts) {
      if (part.type === 'tool_use') pairs.ask(part.id, part.name);
      if (part.type === 'tool_result') pairs.answer(part.tool_use_id);
      if (part.type === 'thinking') problems.push('unsigned thinking');
      if (part.type === 'text' && part.text === '') problems.push('empty text');
    }
  }
  pairs.speak();
  return problems;
}

function checkCodex(records: readonly Json[]): readonly string[] {
  const pairs = new Pairs();
  const { problems } = pairs;
  const [first] = records;
  const meta = (first?.payload ?? {}) as Json;
  if (first?.type !== 'session_meta' || !UUID.test(String(meta.id))) problems.push('session_meta');
  for (const field of ['timestamp', 'cwd', 'originator', 'cli_version']) {
    if (typeof meta[field] !== 'string') problems.push(`session_meta.${field}`);
  }
  if ('model_provider' in meta) problems.push('model_provider');
  for (const { timestamp, type, payload } of records) {
    if (!TIME.test(String(timestamp))) problems.push(`time ${String(timestamp)}`);
    const item = payload as Json;
    if (type !== 'response_item') continue;
    if (item.type === 'function_call') {
      pairs.ask(item.call_id, item.name);
      JSON.parse(String(item.arguments));
    }
    if (item.type === 'function_call_output') pairs.answer(item.call_id);
    if (item.type === 'message') pairs.speak();
    if (item.type === 'message' && isDeepStrictEqual(item.content, []))
      problems.push('empty message');
    if (item.type === 'reasoning') problems.push('reasoning of another vendor');
  }
  pairs.speak();
  const last = records.at(-1)?.payload as Json;
  if (last.type !== 'token_count') problems.push('no estimate at the end');
  return problems;
}

function checkGemini([header, ...messages]: readonly Json[]): readonly string[] {
  const pairs = new Pairs();
  const { problems } = pairs;
  if (!UUID.test(String(header?.sessionId))) problems.push('sessionId');
  for (const field of ['projectHash', 'startTime', 'lastUpdated']) {
    if (typeof header?.[field] !== 'string') problems.push(field);
  }
  for (const { type, content, timestamp, toolCalls } of messages) {
    if (!TIME.test(String(timestamp))) problems.push(`time ${String(timestamp)}`);
    if (toolCalls !== undefined) problems.push('toolCalls are answered again at every resume');
    const parts = content as Json[];
    const answers = parts.filter(({ functionResponse }) => functionResponse !== undefined);
    if (answers.length === 0) pairs.speak();
    for (const part of parts) {
      const { id, name } = (part.functionCall ?? part.functionResponse ?? {}) as Json;
      if (part.functionCall) pairs.ask(id, name);
      if (part.functionResponse) pairs.answer(id);
      if (part.text === '') problems.push('empty text');
    }
    const text = parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
    if (type === 'user' && /^\s*(?:[/?]|<(?:session|hook)_context>)/.test(text))
      problems.push('is dropped');
  }
  pairs.speak();
  return problems;
}
