import { randomUUID } from 'node:crypto';
import { type ScriptedReply, type Speak, sse } from './model-server.ts';

interface Item {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
}

/** The part of the Responses API that Codex uses. */
export const speakOpenai: Speak = (body, request, script) => {
  if (request.method !== 'POST' || !request.url?.endsWith('/responses')) {
    return { status: 404, contentType: 'application/json', chunks: ['{}'], hold: false };
  }
  const { input } = JSON.parse(body) as { input: readonly Item[] };
  const { prompt, step } = place(input);
  const reply = script(prompt, step);
  if (reply.status !== undefined) {
    const chunks = [JSON.stringify({ error: { message: 'refused', type: 'invalid_request' } })];
    return { status: reply.status, contentType: 'application/json', chunks, hold: false };
  }
  const chunks = sse(eventsOf(reply), true);
  return { status: 200, contentType: 'text/event-stream', chunks, hold: reply.hold === true };
};

function place(items: readonly Item[]): { prompt: string; step: number } {
  let step = 0;
  let wasModel = false;
  for (const item of [...items].reverse()) {
    const isModel = item.type === 'function_call' || item.role === 'assistant';
    if (isModel && !wasModel) step++;
    wasModel = isModel;
    const text = item.content?.map((part) => part.text ?? '').join('\n') ?? '';
    const found = item.role === 'user' ? text.match(/@@\S+/g)?.at(-1) : undefined;
    if (found !== undefined) return { prompt: found, step };
  }
  return { prompt: '', step };
}

function eventsOf(reply: ScriptedReply): object[] {
  const response = { id: `resp_${randomUUID()}`, object: 'response', status: 'in_progress' };
  const events: object[] = [{ type: 'response.created', response }];
  const items: object[] = [];
  if (reply.text !== undefined) {
    const item = { type: 'message', role: 'assistant', id: `msg_${randomUUID()}` };
    const output_index = items.length;
    const whole = { ...item, content: [{ type: 'output_text', text: reply.text }] };
    const place = { output_index, item_id: item.id, content_index: 0 };
    events.push({
      type: 'response.output_item.added',
      output_index,
      item: { ...item, content: [] },
    });
    events.push({ type: 'response.output_text.delta', ...place, delta: reply.text });
    if (reply.hold) return events;
    events.push({ type: 'response.output_item.done', output_index, item: whole });
    items.push(whole);
  }
  for (const { name, input, namespace } of reply.calls ?? []) {
    const id = randomUUID().replaceAll('-', '');
    const item = {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: `call_${id}`,
      name,
      ...(namespace !== undefined && { namespace }),
      arguments: JSON.stringify(input),
    };
    events.push({ type: 'response.output_item.done', output_index: items.length, item });
    items.push(item);
  }
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  const completed = { ...response, status: 'completed', output: items, usage };
  return [...events, { type: 'response.completed', response: completed }];
}
