import { type Message, ProviderError, type ToolSchema } from '@robota-sdk/agent-core';
import { describeResults } from './describe-results.ts';
import type { Intent } from './intent.ts';
import { parseRequest } from './parse-request.ts';
import type { DemoReply } from './reply.ts';
import { fitToSchema, neededCalls } from './tool-calls.ts';

/** Composes the reply: a report on new tool results, or a response to the user's request. */
export function compose(messages: readonly Message[], tools: readonly ToolSchema[]): DemoReply {
  const last = messages.findLast((message) => message.role !== 'system');
  if (last?.role === 'tool') return afterTools(messages);
  const request = messages.findLast((message) => message.role === 'user')?.content ?? '';
  const intent = parseRequest(request);
  return useTools(intent, tools) ?? talk(intent, messages);
}

function afterTools(messages: readonly Message[]): DemoReply {
  const start = messages.findLastIndex((message) => message.role === 'assistant');
  const results = messages.slice(start + 1).filter((message) => message.role === 'tool');
  const asked = messages[start];
  const calls = asked?.role === 'assistant' ? (asked.toolCalls ?? []) : [];
  return say(describeResults(results, calls), 'The results are in; I report what they say.');
}

function useTools(intent: Intent, tools: readonly ToolSchema[]): DemoReply | undefined {
  const wanted = neededCalls(intent);
  const name = wanted?.[0]?.name;
  if (!wanted || name === undefined) return undefined;
  const schema = tools.find((tool) => tool.name === name);
  if (!schema) {
    return say(
      `That needs the ${name} tool, which is not available in this session.`,
      `I would use ${name}, but it is not among the tools I was given.`,
    );
  }
  return {
    thinking: `This asks me to ${intent.kind}; the ${name} tool does that.`,
    text: `I will use ${name}.`,
    calls: wanted.map((call) => fitToSchema(call, schema)),
  };
}

function talk(intent: Intent, messages: readonly Message[]): DemoReply {
  switch (intent.kind) {
    case 'plan':
      return say(planFor(intent.goal), `A plan for ${intent.goal}: look, change, check.`);
    case 'think':
      return say(
        `I thought about ${intent.about}. As I am a script and no AI, that changed nothing.`,
        `Thinking about ${intent.about}. First one side, then the other, then both together.`,
      );
    case 'long':
      return say(longText(), 'Something long is wanted, so I count and explain.');
    case 'summary':
      return say(summaryOf(messages), 'I list what was asked, nothing else.');
    case 'fail':
      throw failure(intent.how);
    default:
      return say(INTRODUCTION, 'No request I understand, so I say what I can do.');
  }
}

function say(text: string, thinking: string): DemoReply {
  return { text, thinking, calls: [] };
}

const INTRODUCTION = `I am the demo provider: a small script, not an AI, working without network or key. I understand a few plain requests:

- list files in src
- read package.json
- search for TODO in src
- run \`echo hello\`
- write notes.txt with Hello
- replace Hello with Goodbye in notes.txt
- make a plan for a release
- say something long
- think about tests
- ask an agent to list files
- fail on purpose

For real answers, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or choose another provider.`;

function planFor(goal: string): string {
  return `A plan for ${goal}, from a script that knows nothing about it:

1. Look at what is there.
2. Make the smallest change that helps.
3. Check that it works.
4. Tidy up and write down what changed.`;
}

function summaryOf(messages: readonly Message[]): string {
  const asked = messages
    .filter((message) => message.role === 'user')
    .slice(0, -1)
    .map((message) => `- ${firstLine(message.content)}`);
  const list = asked.length > 0 ? asked.slice(-20).join('\n') : '- nothing before this';
  return `Summary by the demo provider. The user asked:\n${list}`;
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}

const SENTENCES = [
  'This is a long reply, made of sentences that only exist to be streamed.',
  'Each word arrives on its own, the way a model would send it.',
  'You can interrupt it at any time, and what has arrived stays.',
  'Scroll while it runs, resize the window, or open it somewhere else.',
  'Nothing here was thought of by an AI; a loop wrote it.',
];

/** Twenty numbered paragraphs. */
function longText(): string {
  const paragraphs = Array.from(
    { length: 20 },
    (_, index) => `Paragraph ${index + 1}. ${SENTENCES.join(' ')}`,
  );
  return paragraphs.join('\n\n');
}

/** `fail with rate limit` and `fail with overload` are retryable; other failures are final. */
function failure(how: string): ProviderError {
  const facts = { provider: 'demo', isRetryable: true, retryAfterMs: 200 };
  const message = 'The demo provider failed because you asked it to.';
  if (/rate/i.test(how))
    return new ProviderError(message, { ...facts, kind: 'rate_limit', status: 429 });
  if (/overload/i.test(how))
    return new ProviderError(message, { ...facts, kind: 'overloaded', status: 529 });
  return new ProviderError(message, {
    provider: 'demo',
    kind: 'invalid_request',
    isRetryable: false,
  });
}
