import {
  type AssistantMessage,
  type ChatOptions,
  createAssistantMessage,
  createSystemMessage,
  createToolMessage,
  createUserMessage,
  type Message,
  type Provider,
  type ProviderError,
  type ProviderNativeRawPayload,
  type ToolCall,
  type ToolCallDelta,
  type ToolSchema,
} from '@robota-sdk/agent-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Dialect } from '../fakes/dialect.ts';
import { FakeVendor, type Script } from '../fakes/fake-vendor.ts';

/** Does not match any known key pattern, so it is only redacted because it is configured. */
export const KEY = 'the-key-of-this-test-0123456789';

export interface ContractSubject {
  readonly dialect: Dialect;
  readonly apiSurface: string;
  /** The variable of the key, named in the error when it is refused. */
  readonly keyVariable: string;
  create(baseURL: string): Provider;
  /** The vendor data of its thinking, expected in the second request. */
  readonly thinkingTrace?: string;
  readonly usage: Readonly<Record<string, number>>;
  /** The field of the body when tools are listed but must not be used. */
  readonly forbidsTools: Readonly<Record<string, unknown>>;
  readonly stopReasons: { readonly answer: string; readonly tools: string };
}

const READ: ToolSchema = {
  name: 'Read',
  description: 'Reads a file',
  parameters: {
    type: 'object',
    properties: { filePath: { type: 'string' } },
    required: ['filePath'],
  },
};

/** The contract of every vendor's provider, tested against the vendor's own protocol. */
export function describeProviderContract(name: string, subject: ContractSubject): void {
  const { dialect } = subject;

  describe(`provider contract: ${name}`, () => {
    let vendor: FakeVendor;
    let provider: Provider;

    beforeEach(async () => {
      vendor = new FakeVendor(
        (request) => {
          const fault = dialect.refuse(request);
          return fault ? { status: 400, body: dialect.errorBody(400, fault) } : undefined;
        },
        { ...dialect.headers, 'set-cookie': 'session=private' },
      );
      provider = subject.create(await vendor.start());
    });

    afterEach(() => vendor.stop());

    const stream = (
      reply: Parameters<Dialect['events']>[0],
      rest: Partial<Extract<Script, { kind: 'stream' }>> = {},
    ): Script => ({ kind: 'stream', events: dialect.events(reply), ...rest });

    const ask = async (messages: readonly Message[], options: ChatOptions = {}) =>
      (await provider.chat(messages, options)) as AssistantMessage;

    const failure = (messages: readonly Message[], options: ChatOptions = {}) =>
      ask(messages, options).then(
        () => {
          throw new Error('expected the chat to fail');
        },
        (error: ProviderError) => error,
      );

    it('streams text and returns all of it with usage, stop reason and request id', async () => {
      const deltas: string[] = [];
      vendor.next(stream({ text: ['Hel', 'lo ', 'there'] }));

      const reply = await ask([createUserMessage('Hi')], {
        onTextDelta: (delta) => deltas.push(delta),
      });

      expect(deltas).toEqual(['Hel', 'lo ', 'there']);
      expect(reply).toMatchObject({ role: 'assistant', content: 'Hello there', state: 'complete' });
      expect(reply.metadata).toMatchObject({
        ...subject.usage,
        provider: provider.name,
        stopReason: subject.stopReasons.answer,
        requestId: 'req_fake',
      });
      expect(reply.toolCalls).toBeUndefined();
    });

    it('decodes characters that arrive in several chunks', async () => {
      vendor.next(stream({ text: ['Grüße, 世界 👩‍👩‍👧', ' — fin'] }, { chunkBytes: 1 }));

      const reply = await ask([createUserMessage('Hi')]);

      expect(reply.content).toBe('Grüße, 世界 👩‍👩‍👧 — fin');
    });

    it('streams tool arguments and returns them exactly as written', async () => {
      const deltas: ToolCallDelta[] = [];
      const pieces = ['{"file', 'Path": ', '"a b', '.txt"', '}'];
      vendor.next(
        stream({ text: ['Let me look.'], calls: [{ id: 'call_1', name: 'Read', pieces }] }),
      );

      const reply = await ask([createUserMessage('read')], {
        tools: [READ],
        onToolCallDelta: (delta) => deltas.push(delta),
      });

      const [call] = reply.toolCalls ?? [];
      expect(call).toMatchObject({ id: 'call_1', type: 'function', function: { name: 'Read' } });
      expect(JSON.parse(call?.function.arguments ?? '')).toEqual({ filePath: 'a b.txt' });
      expect(deltas.every(({ id, name: tool }) => id === 'call_1' && tool === 'Read')).toBe(true);
      expect(deltas.map((delta) => delta.argumentsDelta).join('')).toBe(call?.function.arguments);
      expect(reply.metadata?.stopReason).toBe(subject.stopReasons.tools);
    });

    it('sends parallel tool calls and their results in the next request', async () => {
      const calls = ['a', 'b', 'c'].map((id) => ({
        id: `call_${id}`,
        name: 'Read',
        pieces: ['{"filePath":', `"${id}"}`],
      }));
      vendor.next(stream({ calls }), stream({ text: ['Done'] }));
      const question = createUserMessage('read all');

      const first = await ask([question], { tools: [READ] });
      const results = (first.toolCalls ?? []).map((call) =>
        createToolMessage(`content ${call.id}`, call.id, { name: 'Read' }),
      );
      const second = await ask([question, first, ...results], { tools: [READ] });

      expect(first.toolCalls?.map((call) => call.id)).toEqual(['call_a', 'call_b', 'call_c']);
      expect(second.content).toBe('Done');
      expect(vendor.requests[1]?.rawBody).toContain('content call_c');
    });

    it('keeps the results of a round together when a system message is between them', async () => {
      vendor.next(stream({ text: ['ok'] }));

      const reply = await ask(
        [
          createUserMessage('read'),
          createAssistantMessage(null, { toolCalls: [toolCall('a', '{}'), toolCall('b', '{}')] }),
          createToolMessage('one', 'a', { name: 'Read' }),
          createSystemMessage('Mind the gap'),
          createToolMessage('two', 'b', { name: 'Read' }),
        ],
        { tools: [READ] },
      );

      expect(reply.content).toBe('ok');
    });

    it('sends the same bytes for the same messages, so that the prefix stays cached', async () => {
      vendor.next(
        stream({ thinking: ['Hm'], calls: [{ id: 'call_1', name: 'Read', pieces: ['{}'] }] }),
        stream({ text: ['Read it'] }),
        stream({ text: ['Bye'] }),
      );
      const history: Message[] = [createSystemMessage('Be kind'), createUserMessage('read')];

      history.push(await ask(history, { tools: [READ] }), createToolMessage('text', 'call_1'));
      history.push(await ask(history, { tools: [READ] }), createUserMessage('bye'));
      const revived = JSON.parse(JSON.stringify(history)) as Message[];
      await ask(revived, { tools: [READ] });

      const [first, second, third] = vendor.requests.map(({ body }) =>
        dialect.conversation(body).map((turn) => JSON.stringify(turn)),
      );
      expect(second?.slice(0, first?.length)).toEqual(first);
      expect(third?.slice(0, second?.length)).toEqual(second);
    });

    it('lists the tools but forbids their use with toolChoice none', async () => {
      vendor.next(stream({ text: ['ok'] }), stream({ text: ['ok'] }));

      await ask([createUserMessage('hi')], { tools: [READ] });
      await ask([createUserMessage('hi')], { tools: [READ], toolChoice: 'none' });

      const [free, bound] = vendor.requests.map(({ body }) => body);
      expect(bound?.tools).toEqual(free?.tools);
      expect(bound).toMatchObject(subject.forbidsTools);
      expect(free).not.toMatchObject(subject.forbidsTools);
    });

    it('accepts malformed tool arguments in the history', async () => {
      vendor.next(stream({ text: ['ok'] }));

      const reply = await ask(
        [
          createUserMessage('go'),
          createAssistantMessage(null, { toolCalls: [toolCall('call_1', '{"filePath": "a')] }),
          createToolMessage('Error: arguments are no JSON', 'call_1', { name: 'Read' }),
        ],
        { tools: [READ] },
      );

      expect(reply.content).toBe('ok');
    });

    it('accepts a history that begins with the assistant, as after compaction', async () => {
      vendor.next(stream({ text: ['ok'] }));

      const reply = await ask([
        createSystemMessage('Be kind'),
        createAssistantMessage('Summary: all well'),
        createUserMessage('go on'),
      ]);

      expect(reply.content).toBe('ok');
    });

    it('accepts empty and interrupted messages in the history', async () => {
      vendor.next(stream({ text: ['ok'] }));

      const reply = await ask([
        createUserMessage('one'),
        createAssistantMessage('', { state: 'interrupted' }),
        createUserMessage('two'),
        createAssistantMessage('half an ans', { state: 'interrupted' }),
        createUserMessage(''),
      ]);

      expect(reply.content).toBe('ok');
    });

    it('joins all system messages with a blank line', async () => {
      vendor.next(stream({ text: ['ok'] }));

      await ask([
        createSystemMessage('First rule'),
        createUserMessage('hi'),
        createSystemMessage('Second rule'),
      ]);

      expect(vendor.requests[0]?.rawBody).toContain('First rule\\n\\nSecond rule');
    });

    it('sends images of users and of tool results', async () => {
      vendor.next(stream({ text: ['ok'] }));

      await ask(
        [
          createUserMessage('look', {
            parts: [{ type: 'image_inline', mimeType: 'image/png', data: 'VVNFUg==' }],
          }),
          createAssistantMessage(null, { toolCalls: [toolCall('call_1', '{}')] }),
          createToolMessage('an image', 'call_1', {
            name: 'Read',
            parts: [{ type: 'image_inline', mimeType: 'image/png', data: 'VE9PTA==' }],
          }),
        ],
        { tools: [READ] },
      );

      expect(vendor.requests[0]?.rawBody).toContain('VVNFUg==');
      expect(vendor.requests[0]?.rawBody).toContain('VE9PTA==');
      expect(vendor.requests[0]?.rawBody).toContain('look');
    });

    it('sends image URLs and data URLs, and names images it cannot send', async () => {
      vendor.next(stream({ text: ['ok'] }));

      await ask([
        createUserMessage('look', {
          parts: [
            { type: 'image_uri', uri: 'https://images.test/cat.png', mimeType: 'image/png' },
            { type: 'image_uri', uri: 'data:image/png;base64,REFUQQ==' },
            { type: 'image_uri', uri: 'pictures/dog.png' },
          ],
        }),
      ]);

      expect(vendor.requests[0]?.rawBody).toContain('https://images.test/cat.png');
      expect(vendor.requests[0]?.rawBody).toContain('REFUQQ==');
      expect(vendor.requests[0]?.rawBody).toContain('[image: pictures/dog.png]');
    });

    it('replaces lone surrogates in text', async () => {
      vendor.next(stream({ text: ['ok'] }));
      const cut = 'cut \u{1F600}'.slice(0, 5);

      await ask(
        [
          createSystemMessage(`system ${cut}`),
          createUserMessage(`user ${cut}`),
          createAssistantMessage(`assistant ${cut}`, { toolCalls: [toolCall('call_1', '{}')] }),
          createToolMessage(`tool ${cut}`, 'call_1', { name: 'Read' }),
        ],
        { tools: [READ] },
      );

      const body = vendor.requests[0]?.rawBody ?? '';
      expect(body).not.toMatch(/\\ud83d/i);
      expect(body.match(/(?:system|user|assistant|tool) cut \uFFFD/g)?.sort()).toEqual([
        'assistant cut \uFFFD',
        'system cut \uFFFD',
        'tool cut \uFFFD',
        'user cut \uFFFD',
      ]);
    });

    it('does not send vendor data of another family', async () => {
      vendor.next(stream({ text: ['ok'] }));
      const foreign = { family: 'another-family', data: { signature: 'foreign-secret' } };

      await ask(
        [
          createUserMessage('hi'),
          createAssistantMessage('Hello', {
            parts: [
              { type: 'thinking', text: 'foreign thought', vendor: foreign },
              { type: 'text', text: 'Hello', vendor: foreign },
              { type: 'vendor', vendor: foreign },
            ],
            toolCalls: [{ ...toolCall('functions.Read:0', '{}'), vendor: foreign }],
          }),
          createToolMessage('text', 'functions.Read:0', { name: 'Read' }),
        ],
        { tools: [READ] },
      );

      expect(vendor.requests[0]?.rawBody).toContain('Hello');
      expect(vendor.requests[0]?.rawBody).not.toContain('foreign');
    });

    it('reports every request, response and stream event, numbered, without the key', async () => {
      const payloads: ProviderNativeRawPayload[] = [];
      const events = dialect.events({ text: ['Hi'] }).filter(({ data }) => data !== '[DONE]');
      vendor.next(stream({ text: ['Hi'] }));

      await ask([createUserMessage('Hi')], {
        onProviderNativeRawPayload: (payload) => payloads.push(payload),
      });

      expect(payloads.map((payload) => payload.payloadKind)).toEqual([
        'request',
        'response',
        ...events.map(() => 'stream_event'),
      ]);
      expect(payloads.map((payload) => payload.sequence)).toEqual(
        payloads.map((_, index) => index),
      );
      expect(payloads.every((payload) => payload.apiSurface === subject.apiSurface)).toBe(true);
      expect(payloads[0]?.payload).toEqual(vendor.requests[0]?.body);
      expect(payloads.slice(2).map((payload) => payload.payload)).toEqual(
        events.map(({ data }) => JSON.parse(data)),
      );
      expect(JSON.stringify(payloads)).not.toContain(KEY);
      expect(JSON.stringify(payloads)).not.toContain('session=private');
    });

    it('always limits the length of the reply', async () => {
      vendor.next(stream({ text: ['ok'] }), stream({ text: ['ok'] }));

      await ask([createUserMessage('hi')]);
      await ask([createUserMessage('hi')], { maxTokens: 321 });

      expect(vendor.requests[0]?.rawBody).toMatch(/max\w*tokens"?:\s*\d+/i);
      expect(vendor.requests[1]?.rawBody).toMatch(/max\w*tokens"?:\s*321\b/i);
    });

    it.each([
      [400, 'invalid_request', false],
      [401, 'authentication', false],
      [404, 'invalid_request', false],
      [429, 'rate_limit', true],
      [500, 'server', true],
      [529, 'overloaded', true],
    ] as const)('turns status %i into a %s error', async (status, kind, isRetryable) => {
      vendor.next({
        kind: 'refusal',
        status,
        body: dialect.errorBody(status, `No, not with ${KEY}`),
        headers: { 'retry-after': '7' },
      });

      const error = await failure([createUserMessage('hi')]);

      expect(error).toMatchObject({
        name: 'ProviderError',
        provider: provider.name,
        kind,
        status,
        isRetryable,
        retryAfterMs: 7000,
        requestId: 'req_fake',
      });
      expect(vendor.requests).toHaveLength(1);
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(KEY);
    });

    it('names the variable of the key when it is refused', async () => {
      vendor.next({ kind: 'refusal', status: 401, body: dialect.errorBody(401, 'bad key') });

      const error = await failure([createUserMessage('hi')]);

      expect(error.message).toContain('bad key');
      expect(error.message).toContain(subject.keyVariable);
    });

    it('recognises a conversation that is too long', async () => {
      vendor.next({
        kind: 'refusal',
        status: 400,
        body: dialect.errorBody(400, 'prompt is too long: 250000 tokens > 200000 maximum'),
      });

      const error = await failure([createUserMessage('hi')]);

      expect(error).toMatchObject({ kind: 'context_overflow', isRetryable: false });
    });

    it('reports an error response that is not JSON', async () => {
      vendor.next({ kind: 'refusal', status: 502, body: '<html>Bad gateway</html>' });

      const error = await failure([createUserMessage('hi')]);

      expect(error).toMatchObject({ kind: 'server', status: 502, isRetryable: true });
      expect(error.message).toContain('Bad gateway');
    });

    it('redacts the key in the quote of an unreadable reply', async () => {
      const wrong = { type: 'message_start', message: KEY, choices: KEY, candidates: KEY };
      vendor.next({
        kind: 'stream',
        events: [{ event: 'message_start', data: JSON.stringify(wrong) }],
      });

      const error = await failure([createUserMessage('hi')]);

      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(KEY);
    });

    it('reports an HTML page instead of a stream', async () => {
      vendor.next({ kind: 'refusal', status: 200, body: { hello: 'world' } });

      const error = await failure([createUserMessage('hi')]);

      expect(error).toMatchObject({ kind: 'malformed_reply', isRetryable: false });
      expect(error.message).toMatch(/application\/json instead of a stream. Check \w+_BASE_URL/);
    });

    it('reports a connection that is dropped before the response', async () => {
      vendor.next({ kind: 'drop' });

      const error = await failure([createUserMessage('hi')]);

      expect(error).toMatchObject({ name: 'ProviderError', kind: 'network', isRetryable: true });
    });

    it.each(['break', 'close'] as const)(
      'reports a reply cut off by a %s in mid-stream',
      async (ending) => {
        vendor.next({
          kind: 'stream',
          events: dialect.unfinished({ text: ['Hel', 'lo'] }),
          ending,
        });

        const error = await failure([createUserMessage('hi')]);

        expect(error).toMatchObject({ name: 'ProviderError', kind: 'network', isRetryable: true });
      },
    );

    it('reports an event that cannot be parsed', async () => {
      const events = [...dialect.unfinished({ text: ['Hel'] }), { data: '{"type": "broken' }];
      vendor.next({ kind: 'stream', events });

      const error = await failure([createUserMessage('hi')]);

      expect(error).toMatchObject({
        name: 'ProviderError',
        kind: 'malformed_reply',
        isRetryable: true,
      });
    });

    it.each(['first', 'after text'])('reports an error event that comes %s', async (when) => {
      const before = when === 'first' ? [] : dialect.unfinished({ text: ['Hel'] });
      vendor.next({ kind: 'stream', events: [...before, dialect.errorEvent] });

      const error = await failure([createUserMessage('hi')]);

      expect(error).toMatchObject({ name: 'ProviderError', kind: 'overloaded', isRetryable: true });
    });

    it('resolves with the content received so far when aborted', async () => {
      const abort = new AbortController();
      vendor.next({
        kind: 'stream',
        events: dialect.unfinished({ text: ['Hel', 'lo'] }),
        ending: 'hang',
      });

      let text = '';
      const reply = await ask([createUserMessage('hi')], {
        signal: abort.signal,
        onTextDelta: (delta) => {
          text += delta;
          if (text === 'Hello') abort.abort();
        },
      });

      expect(reply).toMatchObject({ content: 'Hello', state: 'interrupted' });
      expect(reply.metadata?.stopReason).toBe('aborted');
    });

    it('omits a tool call with incomplete arguments when aborted', async () => {
      const abort = new AbortController();
      const events = dialect.unfinished({
        text: ['Reading'],
        calls: [{ id: 'call_1', name: 'Read', pieces: ['{"file'] }],
      });
      vendor.next({ kind: 'stream', events, ending: 'hang' });

      const reply = await ask([createUserMessage('hi')], {
        tools: [READ],
        signal: abort.signal,
        [dialect.streamsArguments ? 'onToolCallDelta' : 'onTextDelta']: () => abort.abort(),
      });

      expect(reply).toMatchObject({ content: 'Reading', state: 'interrupted' });
      expect(reply.toolCalls).toBeUndefined();
    });

    it('resolves as interrupted when aborted before anything arrives', async () => {
      vendor.next({ kind: 'stream', events: [], ending: 'hang' });

      const reply = await ask([createUserMessage('hi')], { signal: AbortSignal.timeout(30) });
      const never = await ask([createUserMessage('hi')], { signal: AbortSignal.abort() });

      expect([reply, never]).toMatchObject([
        { content: '', state: 'interrupted' },
        { content: '', state: 'interrupted' },
      ]);
    });

    it('rethrows errors of listeners', async () => {
      vendor.next(stream({ text: ['Hello'] }));
      const bug = new Error('listener bug');

      const error = await failure([createUserMessage('hi')], {
        onTextDelta: () => {
          throw bug;
        },
      });

      expect(error).toBe(bug);
    });

    it('keeps two concurrent conversations apart', async () => {
      const texts = ['', ''];
      vendor.next(
        stream({ text: Array.from({ length: 20 }, () => 'a') }, { chunkBytes: 40 }),
        stream({ text: Array.from({ length: 20 }, () => 'b') }, { chunkBytes: 40 }),
      );

      const [first, second] = await Promise.all(
        [0, 1].map((index) =>
          ask([createUserMessage('hi')], { onTextDelta: (delta) => (texts[index] += delta) }),
        ),
      );

      expect(texts).toEqual([first?.content, second?.content]);
      expect(new Set(texts)).toEqual(new Set(['a'.repeat(20), 'b'.repeat(20)]));
    });

    if (subject.thinkingTrace === undefined) return;

    it('streams thinking and sends it back to the vendor that created it', async () => {
      const thoughts: string[] = [];
      vendor.next(stream({ thinking: ['Let ', 'me'], text: ['Hi'] }), stream({ text: ['ok'] }));
      const question = createUserMessage('hi');

      const first = await ask([question], {
        thinking: 'high',
        onThinkingDelta: (delta) => thoughts.push(delta),
      });
      await ask([question, first, createUserMessage('more')], { thinking: 'high' });

      expect(thoughts.join('')).toBe('Let me');
      expect(first.parts).toMatchObject([
        { type: 'thinking', text: 'Let me' },
        { type: 'text', text: 'Hi' },
      ]);
      expect(first.content).toBe('Hi');
      expect(vendor.requests[1]?.rawBody).toContain(subject.thinkingTrace);
    });
  });
}

export function toolCall(id: string, args: string): ToolCall {
  return { id, type: 'function', function: { name: 'Read', arguments: args } };
}
