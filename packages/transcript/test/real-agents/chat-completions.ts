import { randomUUID } from 'node:crypto';
import { type ScriptedReply, type Speak, sse } from './model-server.ts';

interface Message {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[] | null;
}

/** The part of the Chat Completions API that opencode uses. */
export const speakChatCompletions: Speak = (body, _request, script) => {
  const { messages = [], tools } = JSON.parse(body || '{}') as {
    messages?: readonly Message[];
    tools?: readonly unknown[];
  };
  // A title is asked for without tools.
  const reply: ScriptedReply =
    tools === undefined ? { text: 'A title' } : script(...place(messages));
  const events = sse(chunksOf(reply), false);
  // A held reply sends its text and no end.
  const chunks = reply.hold ? events.slice(0, 1) : [...events, 'data: [DONE]\n\n'];
  return { status: 200, contentType: 'text/event-stream', chunks, hold: reply.hold === true };
};

function place(messages: readonly Message[]): [prompt: string, step: number] {
  let step = 0;
  for (const { role, content } of [...messages].reverse()) {
    if (role === 'assistant') step++;
    const text =
      typeof content === 'string' ? content : (content ?? []).map((part) => part.text).join('\n');
    const found = role === 'user' ? text.match(/@@[a-z]+/g)?.at(-1) : undefined;
    if (found !== undefined) return [found, step];
  }
  return ['', step];
}

function chunksOf({ text, calls }: ScriptedReply): object[] {
  const about = {
    id: `chat-${randomUUID()}`,
    object: 'chat.completion.chunk',
    model: 'fake-model',
  };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...about,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const tool_calls = calls?.map(({ name, input }, index) => ({
    index,
    id: `call_${randomUUID().slice(0, 8)}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  return [
    chunk({ role: 'assistant', content: text ?? '' }),
    ...(tool_calls === undefined ? [] : [chunk({ tool_calls })]),
    chunk({}, tool_calls === undefined ? 'stop' : 'tool_calls'),
    { ...about, choices: [], usage },
  ];
}
