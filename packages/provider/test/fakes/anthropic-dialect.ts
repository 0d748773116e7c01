import type { Dialect, FakeReply } from './dialect.ts';
import type { SeenRequest, WireEvent } from './fake-vendor.ts';

type Block = Record<string, unknown> & { type: string };
interface Turn {
  readonly role: string;
  readonly content: readonly Block[];
}

/** The Messages API as of version 2023-06-01. */
export const anthropicDialect: Dialect = {
  streamsArguments: true,
  headers: { 'request-id': 'req_fake' },
  events: (reply) => [...opening(reply), ...closing(reply)],
  unfinished: opening,
  errorEvent: event({
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded' },
  }),
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
    request_id: 'req_fake',
  }),
  refuse,
  conversation: (body) => (body.messages as Turn[]).map(withoutCachePoints),
};

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function event(value: { type: string } & Record<string, unknown>): WireEvent {
  return { event: value.type, data: JSON.stringify(value) };
}

function opening(reply: FakeReply): WireEvent[] {
  let index = 0;
  const events = [event({ type: 'message_start', message: START }), event({ type: 'ping' })];
  const block = (start: Block, deltas: readonly Block[], isClosed = true) => {
    events.push(event({ type: 'content_block_start', index, content_block: start }));
    for (const delta of deltas) events.push(event({ type: 'content_block_delta', index, delta }));
    if (isClosed) events.push(event({ type: 'content_block_stop', index }));
    index++;
  };
  if (reply.thinking) {
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...reply.thinking.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'sig-of-the-vendor' },
    ]);
  }
  if (reply.text) {
    block(
      { type: 'text', text: '' },
      reply.text.map((text) => ({ type: 'text_delta', text })),
    );
  }
  for (const { id, name, pieces } of reply.calls ?? []) {
    const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    block({ type: 'tool_use', id, name, input: {} }, deltas, isWhole(pieces));
  }
  return events;
}

/** A block with incomplete JSON was not closed by the vendor either. */
function isWhole(pieces: readonly string[]): boolean {
  return pieces.join('').endsWith('}');
}

const START = {
  id: 'msg_fake',
  type: 'message',
  role: 'assistant',
  model: 'claude-fake',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: {
    input_tokens: 10,
    cache_read_input_tokens: 200,
    cache_creation_input_tokens: 30,
    output_tokens: 1,
  },
};

function closing(reply: FakeReply): WireEvent[] {
  return [
    event({
      type: 'message_delta',
      delta: { stop_reason: reply.calls ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 42 },
    }),
    event({ type: 'message_stop' }),
  ];
}

function refuse({ path, headers, body }: SeenRequest): string | undefined {
  if (path !== '/v1/messages') return `unknown path ${path}`;
  if (!headers['x-api-key'] && !headers.authorization) return 'no credentials';
  if (typeof body.max_tokens !== 'number') return 'max_tokens: Field required';
  const turns = body.messages as Turn[];
  return firstFault([
    turns[0]?.role !== 'user' && 'messages: first message must use the "user" role',
    turns.some((turn, index) => turn.role === turns[index + 1]?.role) && 'roles must alternate',
    turns.some((turn) => turn.content.length === 0) && 'content must be non-empty',
    turns.some((turn) => turn.content.some(isEmptyText)) && 'text content blocks must be non-empty',
    turns.some((turn) => turn.content.some(isUnsigned)) && 'thinking.signature: Field required',
    turns.some((turn) => turn.content.some(isOddInput)) &&
      'tool_use.input: Input should be an object',
    turns.some((turn) => turn.content.some(isOddId)) &&
      'tool_use.id: should match ^[a-zA-Z0-9_-]+$',
    hasUnpairedTools(turns) && 'tool_use ids were found without tool_result blocks, or the reverse',
    cachePoints(body) > 4 && 'A maximum of 4 blocks with cache_control may be provided',
  ]);
}

function firstFault(faults: readonly (string | false)[]): string | undefined {
  return faults.find((fault) => typeof fault === 'string') || undefined;
}

function isEmptyText(block: Block): boolean {
  return block.type === 'text' && String(block.text).trim() === '';
}

function isUnsigned(block: Block): boolean {
  return block.type === 'thinking' && !block.signature;
}

function isOddInput(block: Block): boolean {
  const { input } = block;
  return block.type === 'tool_use' && (typeof input !== 'object' || Array.isArray(input));
}

function isOddId(block: Block): boolean {
  return block.type === 'tool_use' && !/^[\w-]+$/.test(String(block.id));
}

function hasUnpairedTools(turns: readonly Turn[]): boolean {
  return turns.some((turn, index) => {
    const asked = idsOf(turn, 'tool_use', 'id');
    const answered = idsOf(turns[index + 1], 'tool_result', 'tool_use_id');
    const given = idsOf(turn, 'tool_result', 'tool_use_id');
    const before = idsOf(turns[index - 1], 'tool_use', 'id');
    return asked.some((id) => !answered.includes(id)) || given.some((id) => !before.includes(id));
  });
}

function idsOf(turn: Turn | undefined, type: string, field: string): unknown[] {
  return (turn?.content ?? []).filter((block) => block.type === type).map((block) => block[field]);
}

export function cachePoints(body: unknown): number {
  return JSON.stringify(body).split('"cache_control"').length - 1;
}

function withoutCachePoints(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)),
  );
}
