import { type ScriptedReply, type Speak, sse } from './model-server.ts';

interface Content {
  readonly role: string;
  readonly parts: readonly { readonly text?: string; readonly functionResponse?: object }[];
}

/** The part of the Gemini API that Gemini CLI uses. */
export const speakGoogle: Speak = (body, request, script) => {
  const isStream = request.url?.includes(':streamGenerateContent');
  if (!isStream) {
    const plain = { candidates: [candidate({ text: 'summary' })] };
    const chunks = [JSON.stringify(plain)];
    return { status: 200, contentType: 'application/json', chunks, hold: false };
  }
  const { contents } = JSON.parse(body) as { contents: readonly Content[] };
  const { prompt, step } = place(contents);
  const reply = script(prompt, step);
  if (reply.status !== undefined) {
    const error = { error: { code: reply.status, message: 'refused', status: 'INVALID_ARGUMENT' } };
    const chunks = [JSON.stringify(error)];
    return { status: reply.status, contentType: 'application/json', chunks, hold: false };
  }
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  const whole = { candidates: [candidate(reply)], usageMetadata };
  const half = { candidates: [{ content: candidate(reply).content, index: 0 }] };
  const chunks = sse([reply.hold ? half : whole], false);
  return { status: 200, contentType: 'text/event-stream', chunks, hold: reply.hold === true };
};

function place(contents: readonly Content[]): { prompt: string; step: number } {
  let step = 0;
  for (const { role, parts } of [...contents].reverse()) {
    if (role === 'model') step++;
    const text = parts.map((part) => part.text ?? '').join('\n');
    const found = role === 'user' ? text.match(/@@\S+/g)?.at(-1) : undefined;
    if (found !== undefined) return { prompt: found, step };
  }
  return { prompt: '', step };
}

function candidate({ text, thinking, calls = [] }: ScriptedReply) {
  const parts: object[] = [];
  if (thinking !== undefined) parts.push({ text: thinking, thought: true });
  if (text !== undefined) parts.push({ text });
  for (const { name, input } of calls) parts.push({ functionCall: { name, args: input } });
  return { content: { role: 'model', parts }, finishReason: 'STOP', index: 0 };
}
