import { randomUUID } from 'node:crypto';
import { type ScriptedReply, type Speak, sse } from './model-server.ts';

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

/** The part of the Messages API that Claude Code uses. */
export const speakAnthropic: Speak = (body, request, script) => {
  const isMessages = request.url?.startsWith('/v1/messages') && request.method === 'POST';
  if (!isMessages || body === '') {
    return { status: 404, contentType: 'application/json', chunks: ['{}'], hold: false };
  }
  const { messages, model } = JSON.parse(body) as {
    messages: readonly Message[];
    model: string;
  };
  const { prompt, step } = place(messages);
  const reply = script(prompt, step);
  if (reply.status !== undefined) {
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'refused' } };
    const chunks = [JSON.stringify(error)];
    return { status: reply.status, contentType: 'application/json', chunks, hold: false };
  }
  const chunks = sse(eventsOf(reply, model), true);
  return { status: 200, contentType: 'text/event-stream', chunks, hold: reply.hold === true };
};

function place(messages: readonly Message[]): { prompt: string; step: number } {
  let step = 0;
  for (const message of [...messages].reverse()) {
    if (message.role === 'assistant') step++;
    const text = ownText(message);
    const found = message.role === 'user' ? text.match(/@@\S+/g)?.at(-1) : undefined;
    if (found !== undefined) return { prompt: found, step };
  }
  return { prompt: '', step };
}

function ownText({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content.map(({ text }) => text ?? '').join('\n');
}

function eventsOf(reply: ScriptedReply, model: string): object[] {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const blocks: object[][] = [];
  if (reply.text !== undefined) blocks.push(textBlock(blocks.length, reply.text));
  for (const call of reply.calls ?? []) blocks.push(toolBlock(blocks.length, call));
  const start = { type: 'message_start', message };
  if (reply.hold) return [start, ...blocks.flat().slice(0, -1)];
  const stop_reason = reply.calls === undefined ? 'end_turn' : 'tool_use';
  return [
    start,
    ...blocks.flat(),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}

function textBlock(index: number, text: string): object[] {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index },
  ];
}

function toolBlock(index: number, { name, input }: { name: string; input: object }): object[] {
  const id = `toolu_${randomUUID().replaceAll('-', '')}`;
  return [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id, name, input: {} },
    },
    {
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    },
    { type: 'content_block_stop', index },
  ];
}
