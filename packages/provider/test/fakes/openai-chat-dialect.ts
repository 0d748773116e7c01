import type { Dialect, FakeReply } from './dialect.ts';
import type { SeenRequest, WireEvent } from './fake-vendor.ts';

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { id: string; function: { arguments: string } }[];
  readonly tool_call_id?: string;
}

/** Chat Completions, with `reasoning_content` as reasoning models behind it send it. */
export const openaiChatDialect: Dialect = {
  streamsArguments: true,
  headers: { 'x-request-id': 'req_fake' },
  events: (reply) => [...opening(reply), ...closing(reply)],
  unfinished: opening,
  errorEvent: {
    data: JSON.stringify({
      error: {
        message: 'The engine is overloaded',
        type: 'overloaded_error',
        param: null,
        code: null,
      },
    }),
  },
  errorBody: (status, message) => ({
    error: { message, type: ERROR_TYPES[status] ?? 'server_error', param: null, code: null },
  }),
  refuse,
  conversation: (body) => body.messages as ChatMessage[],
};

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function chunk(delta: Record<string, unknown>, finish_reason: string | null = null): WireEvent {
  return {
    data: JSON.stringify({
      id: 'chatcmpl_fake',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'gpt-fake',
      choices: [{ index: 0, delta, finish_reason }],
    }),
  };
}

function opening(reply: FakeReply): WireEvent[] {
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(reply.thinking ?? []).map((reasoning_content) => chunk({ reasoning_content })),
    ...(reply.text ?? []).map((content) => chunk({ content })),
    ...(reply.calls ?? []).flatMap((call, index) => [
      chunk({
        tool_calls: [
          { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
        ],
      }),
      ...call.pieces.map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
  ];
}

function closing(reply: FakeReply): WireEvent[] {
  return [
    chunk({}, reply.calls ? 'tool_calls' : 'stop'),
    {
      data: JSON.stringify({
        id: 'chatcmpl_fake',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'gpt-fake',
        choices: [],
        usage: {
          prompt_tokens: 240,
          completion_tokens: 42,
          total_tokens: 282,
          prompt_tokens_details: { cached_tokens: 200 },
        },
      }),
    },
    { data: '[DONE]' },
  ];
}

function refuse({ path, body }: SeenRequest): string | undefined {
  if (path !== '/v1/chat/completions') return `unknown path ${path}`;
  const messages = body.messages as ChatMessage[];
  const faults = [
    messages.some((message) => message.role !== 'assistant' && !message.content) &&
      'content is empty',
    messages.some((message, index) => message.role === 'tool' && !isAnswer(messages, index)) &&
      "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    messages.some((message, index) => !isAnswered(messages, message, index)) &&
      "an assistant message with 'tool_calls' must be followed by tool messages",
    messages.some((message) =>
      message.tool_calls?.some((call) => !isJson(call.function.arguments)),
    ) && 'arguments are not JSON',
    messages.some((message) => message.role === 'tool' && typeof message.content !== 'string') &&
      'tool content must be text',
    messages.some(
      (message) => message.role === 'tool' && String(message.content).includes('VE9PTA'),
    ) && 'images are not supported in tool messages',
  ];
  return faults.find((fault) => typeof fault === 'string') || undefined;
}

function isAnswer(messages: readonly ChatMessage[], index: number): boolean {
  const asked = messages.slice(0, index).findLast((message) => message.role !== 'tool');
  return (asked?.tool_calls ?? []).some((call) => call.id === messages[index]?.tool_call_id);
}

function isAnswered(
  messages: readonly ChatMessage[],
  message: ChatMessage,
  index: number,
): boolean {
  const rest = messages.slice(index + 1);
  const end = rest.findIndex((next) => next.role !== 'tool');
  const results = end === -1 ? rest : rest.slice(0, end);
  return (message.tool_calls ?? []).every((call) =>
    results.some((result) => result.tool_call_id === call.id),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
