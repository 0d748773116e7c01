import {
  type AssistantMessage,
  type ChatOptions,
  createAssistantMessage,
  createToolMessage,
  createUserMessage,
  type Message,
  type ToolSchema,
} from '@robota-sdk/agent-core';
import { DemoProvider } from '@robota-sdk/agent-provider/demo';
import { describe, expect, it } from 'vitest';

function schema(name: string, ...properties: string[]): ToolSchema {
  const entries = properties.map((property) => [property, { type: 'string' }]);
  return {
    name,
    description: name,
    parameters: { type: 'object', properties: Object.fromEntries(entries) },
  };
}

const TOOLS = [
  schema('Glob', 'pattern', 'path'),
  schema('Read', 'filePath'),
  schema('Grep', 'pattern', 'path', 'outputMode'),
  schema('Bash', 'command'),
  schema('Write', 'filePath', 'content'),
  schema('Edit', 'filePath', 'oldString', 'newString'),
  schema('Agent', 'prompt', 'subagent_type'),
];

const provider = new DemoProvider({ wordDelayMs: 0 });

async function ask(request: string, options: ChatOptions = { tools: TOOLS }) {
  return (await provider.chat([createUserMessage(request)], options)) as AssistantMessage;
}

function callsOf(reply: AssistantMessage) {
  return (reply.toolCalls ?? []).map(({ function: called }) => [
    called.name,
    JSON.parse(called.arguments),
  ]);
}

describe('DemoProvider', () => {
  it.each([
    'tell me what you can do',
    'show me what you know',
    'what is the meaning of life?',
    'read me something nice about the sea',
    'tell me a joke',
    'open your mind to new ideas',
    'how are you?',
  ])('finds no file name in “%s”', async (request) => {
    expect(callsOf(await ask(request))).toEqual([]);
  });

  it('says how to get real answers when it does not understand', async () => {
    const { content } = await ask('how are you?');

    expect(content).toContain('set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY');
  });

  it('reads several files named in one sentence', async () => {
    const reply = await ask('read a.txt, b/c.md and LICENSE and tell me which is longest');

    expect(callsOf(reply)).toEqual(
      ['a.txt', 'b/c.md', 'LICENSE'].map((filePath) => ['Read', { filePath }]),
    );
  });

  it.each([
    ['list files', 'Glob', { pattern: '*' }],
    ['list the files here', 'Glob', { pattern: '*' }],
    ['List the files in src', 'Glob', { pattern: '*', path: 'src' }],
    ['please read package.json', 'Read', { filePath: 'package.json' }],
    ['read summary.md', 'Read', { filePath: 'summary.md' }],
    ['read package.json and tell me what it does', 'Read', { filePath: 'package.json' }],
    ['Read a.txt, then explain it to me.', 'Read', { filePath: 'a.txt' }],
    ['open the Makefile and show me what it builds', 'Read', { filePath: 'Makefile' }],
    ['look at src/index.ts and tell me about it', 'Read', { filePath: 'src/index.ts' }],
    ['tell me what is in package.json', 'Read', { filePath: 'package.json' }],
    ['what does src/a.ts do?', 'Read', { filePath: 'src/a.ts' }],
    ['read notes', 'Read', { filePath: 'notes' }],
    ['run echo hi and tell me what it says', 'Bash', { command: 'echo hi' }],
    ['show me the file `a.txt`.', 'Read', { filePath: 'a.txt' }],
    ['search for TODO in src', 'Grep', { pattern: 'TODO', path: 'src', outputMode: 'content' }],
    ['find "hello world"', 'Grep', { pattern: 'hello world', outputMode: 'content' }],
    ['run `npm test -- --silent`', 'Bash', { command: 'npm test -- --silent' }],
    ['run echo hi', 'Bash', { command: 'echo hi' }],
    [
      'write notes.txt with Hello there',
      'Write',
      { filePath: 'notes.txt', content: 'Hello there' },
    ],
    [
      'create a file called a.md containing "one\\ntwo"',
      'Write',
      { filePath: 'a.md', content: 'one\ntwo' },
    ],
    [
      'replace Hello with Goodbye in notes.txt',
      'Edit',
      { filePath: 'notes.txt', oldString: 'Hello', newString: 'Goodbye' },
    ],
    [
      'edit notes.txt: change "a b" to "c d"',
      'Edit',
      { filePath: 'notes.txt', oldString: 'a b', newString: 'c d' },
    ],
    ['ask an agent to list files', 'Agent', { prompt: 'list files' }],
  ])('answers "%s" with a %s call', async (request, tool, args) => {
    const reply = await ask(request);

    expect(callsOf(reply)).toEqual([[tool, args]]);
    expect(reply.metadata?.stopReason).toBe('tool_use');
  });

  it('reads several files at once', async () => {
    const reply = await ask('read a.txt, b.txt and c.txt');

    expect(callsOf(reply).map(([, args]) => args.filePath)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  it('uses the parameter names of the offered tool', async () => {
    const reply = await ask('read a.txt', { tools: [schema('Read', 'file_path')] });

    expect(callsOf(reply)).toEqual([['Read', { file_path: 'a.txt' }]]);
  });

  it('reports a needed tool that is not offered', async () => {
    const reply = await ask('read a.txt', {});

    expect(reply.toolCalls).toBeUndefined();
    expect(reply.content).toContain('needs the Read tool');
  });

  it('streams thinking, text and arguments', async () => {
    const words: string[] = [];
    const thoughts: string[] = [];
    const pieces: string[] = [];

    const reply = await ask('read a-file-with-a-rather-long-name.txt', {
      tools: TOOLS,
      onTextDelta: (delta) => words.push(delta),
      onThinkingDelta: (delta) => thoughts.push(delta),
      onToolCallDelta: (delta) => pieces.push(delta.argumentsDelta),
    });

    expect(words.join('')).toBe(reply.content);
    expect(words.length).toBeGreaterThan(2);
    expect(reply.parts?.[0]).toEqual({ type: 'thinking', text: thoughts.join('') });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(reply.toolCalls?.[0]?.function.arguments);
    expect(reply.metadata).toMatchObject({
      inputTokens: expect.any(Number),
      outputTokens: expect.any(Number),
      model: 'demo',
    });
  });

  it.each([
    ['{"success":true,"output":"one\\ntwo"}', 'It returned 2 lines:\n\n```\none\ntwo\n```'],
    ['{"success":true,"output":"x\\n","exitCode":3}', 'It exited with code 3. It says: x'],
    [
      '{"success":false,"output":"","error":"File not found: a"}',
      'did not succeed: File not found: a',
    ],
    [
      'Permission denied. The user did not approve this action.',
      'did not succeed: Permission denied',
    ],
    ['Error: File not found: b\n{"success":false}', 'Read did not succeed: File not found: b'],
    ['{"success":true,"output":""}', 'returned no output'],
    ['plain text', 'It says: plain text'],
  ])('reports the result %s', async (content, expected) => {
    const call = {
      id: '1',
      type: 'function' as const,
      function: { name: 'Read', arguments: '{}' },
    };
    const history: Message[] = [
      createUserMessage('read a'),
      createAssistantMessage(null, { toolCalls: [call] }),
      createToolMessage(content, '1'),
    ];

    const reply = await provider.chat(history, { tools: TOOLS });

    expect(reply.content).toContain(expected);
    expect(reply).not.toHaveProperty('toolCalls');
  });

  it.each([
    ['hello', 'not an AI'],
    ['what is love?', 'not an AI'],
    ['make a plan for a release', 'A plan for a release'],
    ['think about tests', 'I thought about tests'],
  ])('responds to "%s" as a script', async (request, expected) => {
    const reply = await ask(request);

    expect(reply.content).toContain(expected);
  });

  it('can be interrupted during a long reply', async () => {
    const abort = new AbortController();
    let words = 0;

    const whole = await ask('say something long');
    const part = await ask('say something long', {
      signal: abort.signal,
      onTextDelta: () => {
        words += 1;
        if (words === 10) abort.abort();
      },
    });

    expect(whole.content?.length).toBeGreaterThan(3000);
    expect(part.state).toBe('interrupted');
    expect(whole.content?.startsWith(part.content ?? '-')).toBe(true);
    expect(part.content?.trim().split(/\s+/)).toHaveLength(10);
    expect(part.metadata?.stopReason).toBe('aborted');
  });

  it('stops the delay between words when aborted', async () => {
    const slow = new DemoProvider({ wordDelayMs: 60_000 });

    const reply = await slow.chat([createUserMessage('hi')], { signal: AbortSignal.timeout(10) });

    expect(reply).toMatchObject({ content: '', state: 'interrupted' });
  });

  it.each([
    ['fail on purpose', 'invalid_request', false],
    ['fail with a rate limit', 'rate_limit', true],
    ['fail with overload', 'overloaded', true],
  ])('fails as requested by "%s"', async (request, kind, isRetryable) => {
    await expect(ask(request)).rejects.toMatchObject({ name: 'ProviderError', kind, isRetryable });
  });

  it("summarises by listing the user's requests", async () => {
    const reply = await provider.chat([
      createUserMessage('read a.txt'),
      createAssistantMessage('Done'),
      createUserMessage('Summarize this conversation so far.'),
    ]);

    expect(reply.content).toContain('- read a.txt');
  });

  it('reports its request and response as raw payloads', async () => {
    const kinds: string[] = [];

    await ask('hello', {
      onProviderNativeRawPayload: (payload) => kinds.push(payload.payloadKind),
    });

    expect(kinds).toEqual(['request', 'response']);
  });
});
