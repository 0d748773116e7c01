import type { Dialect, FakeReply } from './dialect.ts';
import type { SeenRequest, WireEvent } from './fake-vendor.ts';

type Item = Record<string, unknown>;

/** The Responses API, streaming, nothing stored. */
export const openaiResponsesDialect: Dialect = {
  streamsArguments: true,
  headers: { 'x-request-id': 'req_fake' },
  events: (reply) => [...opening(reply), completed(reply)],
  unfinished: opening,
  errorEvent: event({
    type: 'error',
    sequence_number: 9,
    code: 'server_is_overloaded',
    message: 'The server is overloaded',
    param: null,
  }),
  errorBody: (status, message) => ({
    error: { message, type: ERROR_TYPES[status] ?? 'server_error', param: null, code: null },
  }),
  refuse,
  conversation: (body) => body.input as Item[],
};

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const RESPONSE = {
  id: 'resp_fake',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'gpt-fake',
};

function event(value: { type: string } & Item): WireEvent {
  return { event: value.type, data: JSON.stringify(value) };
}

function opening(reply: FakeReply): WireEvent[] {
  const events = [
    event({ type: 'response.created', response: { ...RESPONSE, status: 'in_progress' } }),
    event({ type: 'response.in_progress', response: { ...RESPONSE, status: 'in_progress' } }),
  ];
  let index = 0;
  if (reply.thinking) events.push(...reasoning(reply.thinking, index++));
  if (reply.text) events.push(...message(reply.text, index++));
  for (const call of reply.calls ?? []) events.push(...functionCall(call, index++));
  return events;
}

function reasoning(pieces: readonly string[], output_index: number): WireEvent[] {
  const id = 'rs_fake';
  const at = { item_id: id, output_index, summary_index: 0 };
  return [
    event({
      type: 'response.output_item.added',
      output_index,
      item: { id, type: 'reasoning', summary: [] },
    }),
    event({
      type: 'response.reasoning_summary_part.added',
      ...at,
      part: { type: 'summary_text', text: '' },
    }),
    ...pieces.map((delta) =>
      event({ type: 'response.reasoning_summary_text.delta', ...at, delta }),
    ),
    event({
      type: 'response.reasoning_summary_part.done',
      ...at,
      part: { type: 'summary_text', text: pieces.join('') },
    }),
    event({
      type: 'response.output_item.done',
      output_index,
      item: {
        id,
        type: 'reasoning',
        encrypted_content: 'encrypted-by-the-vendor',
        summary: [{ type: 'summary_text', text: pieces.join('') }],
      },
    }),
  ];
}

function message(pieces: readonly string[], output_index: number): WireEvent[] {
  const id = 'msg_fake';
  const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  return [
    event({ type: 'response.output_item.added', output_index, item }),
    ...pieces.map((delta) =>
      event({
        type: 'response.output_text.delta',
        item_id: id,
        output_index,
        content_index: 0,
        delta,
      }),
    ),
    event({
      type: 'response.output_item.done',
      output_index,
      item: {
        ...item,
        status: 'completed',
        content: [{ type: 'output_text', text: pieces.join(''), annotations: [] }],
      },
    }),
  ];
}

function functionCall(
  call: NonNullable<FakeReply['calls']>[number],
  output_index: number,
): WireEvent[] {
  const item = { id: `fc_${call.id}`, type: 'function_call', call_id: call.id, name: call.name };
  const args = call.pieces.join('');
  const start = [
    event({ type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } }),
    ...call.pieces.map((delta) =>
      event({
        type: 'response.function_call_arguments.delta',
        item_id: item.id,
        output_index,
        delta,
      }),
    ),
  ];
  if (!args.endsWith('}')) return start;
  return [
    ...start,
    event({
      type: 'response.function_call_arguments.done',
      item_id: item.id,
      output_index,
      arguments: args,
    }),
    event({
      type: 'response.output_item.done',
      output_index,
      item: { ...item, arguments: args, status: 'completed' },
    }),
  ];
}

function completed(_reply: FakeReply): WireEvent {
  return event({
    type: 'response.completed',
    response: {
      ...RESPONSE,
      status: 'completed',
      incomplete_details: null,
      usage: {
        input_tokens: 240,
        input_tokens_details: { cached_tokens: 200 },
        output_tokens: 42,
        output_tokens_details: { reasoning_tokens: 12 },
        total_tokens: 282,
      },
    },
  });
}

function refuse({ path, headers, body }: SeenRequest): string | undefined {
  if (path !== '/v1/responses') return `unknown path ${path}`;
  if (!headers.authorization?.startsWith('Bearer ')) return 'no credentials';
  const items = body.input as Item[];
  const calls = items.filter((item) => item.type === 'function_call');
  const outputs = items.filter((item) => item.type === 'function_call_output');
  const faults = [
    body.store !== false && 'this fake keeps nothing, so items cannot be referenced',
    calls.some((call) => !outputs.some((output) => output.call_id === call.call_id)) &&
      'No tool output found for function call',
    outputs.some((output) => !calls.some((call) => output.call_id === call.call_id)) &&
      'No tool call found for function call output',
    calls.some((call) => !isJson(call.arguments)) && 'arguments are not JSON',
    items.some((item) => String(item.call_id ?? '').length > 64) && 'call_id: string too long',
    items.some((item) => item.type === 'reasoning' && !item.encrypted_content) &&
      'reasoning item not found, and nothing encrypted was sent',
    items.some((item) => item.type === 'item_reference') && 'Item not found',
  ];
  return faults.find((fault) => typeof fault === 'string') || undefined;
}

function isJson(text: unknown): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}
