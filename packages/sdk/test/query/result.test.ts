import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { calls, fails, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { createQuery, type QueryEvent } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const USAGE = { inputTokens: 1_000, outputTokens: 200 };

describe('query.result', () => {
  it('says what was said, done, used and paid, and in which session', async () => {
    const provider = scriptedProvider(
      calls({ id: '1', name: 'Glob', args: { pattern: '*' } }),
      says('Done.', { metadata: { ...USAGE, stopReason: 'end_turn' } }),
    );
    const query = createQuery({ provider, cwd: place.project, model: 'claude-sonnet-4-5' });

    const result = await query.result('look around', { sessionId: 'asked-once' });

    expect(result).toMatchObject({
      text: 'Done.',
      sessionId: 'asked-once',
      endedBy: 'answer',
      stopReason: 'end_turn',
      usage: USAGE,
      requests: 2,
      toolCalls: [{ name: 'Glob' }],
    });
    expect(result.costUsd).toBeCloseTo(0.006, 6);
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
    expect(result.blocks.map(({ type }) => type)).toEqual([
      'user_message',
      'tool_use',
      'tool_result',
      'assistant_text',
    ]);
  });

  it('says that no price is known instead of free', async () => {
    const provider = scriptedProvider(says('Hi.', { metadata: USAGE }));

    const { costUsd } = await createQuery({ provider, cwd: place.project }).result('hi', {
      model: 'home-grown',
    });

    expect(costUsd).toBeNull();
  });

  it('says that it was called off', async () => {
    const controller = new AbortController();
    const provider = scriptedProvider(says('one two', { deltas: ['one ', 'two'] }));

    const { text, endedBy } = await createQuery({ provider, cwd: place.project }).result('count', {
      signal: controller.signal,
      onTextDelta: () => controller.abort(),
    });

    expect([text, endedBy]).toEqual(['one ', 'abort']);
  });
});

describe('query.stream', () => {
  it('tells what happens as it happens, and the result at the end', async () => {
    const provider = scriptedProvider(says('hello you', { deltas: ['hello ', 'you'] }));
    const query = createQuery({ provider, cwd: place.project });
    const stream = query.stream('hi', { sessionId: 'streamed' });
    const events: QueryEvent[] = [];

    for await (const event of stream) events.push(event);

    const said = events.map((event) => (event.type === 'text_delta' ? event.delta : ''));
    expect(said.join('')).toBe('hello you');
    expect(events.find(({ type }) => type === 'block_complete')).toMatchObject({
      block: { type: 'user_message', content: 'hi' },
    });
    expect(events.at(-1)).toMatchObject({ type: 'result', result: { text: 'hello you' } });
    expect(await stream.result).toMatchObject({ text: 'hello you', sessionId: stream.sessionId });
  });

  it('calls the question off when the loop is left', async () => {
    let signal: AbortSignal | undefined;
    const provider: Provider = {
      name: 'endless',
      chat: (_messages, options = {}) =>
        new Promise((resolve) => {
          ({ signal } = options);
          options.onTextDelta?.('one ');
          signal?.addEventListener('abort', () =>
            resolve(createAssistantMessage('one ', { state: 'interrupted' })),
          );
        }),
    };
    const stream = createQuery({ provider, cwd: place.project }).stream('count');

    for await (const event of stream) if (event.type === 'text_delta') break;

    expect(signal?.aborted).toBe(true);
    expect(await stream.result).toMatchObject({ text: 'one ', endedBy: 'abort' });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('throws in the loop what made it fail, and leaves no rejection behind', async () => {
    const query = createQuery({
      provider: scriptedProvider(fails(new Error('no key'))),
      cwd: place.project,
    });

    await expect(async () => {
      for await (const _event of query.stream('hi'));
    }).rejects.toThrow('no key');
  });

  it('answers also when nobody reads the events', async () => {
    const query = createQuery({ provider: scriptedProvider(says('Hi.')), cwd: place.project });

    expect((await query.stream('hi').result).text).toBe('Hi.');
  });
});

describe('attachments', () => {
  it('go with the prompt: images and PDFs as they are, texts in its words', async () => {
    const provider = scriptedProvider(says('Seen.'));
    writeFileSync(join(place.project, 'notes.txt'), 'buy milk');
    writeFileSync(join(place.project, 'plan.pdf'), '%PDF-1.7');

    await createQuery({ provider, cwd: place.project })('what is this?', {
      attachments: [
        { data: new Uint8Array([1, 2, 3]), mimeType: 'image/png' },
        { path: 'notes.txt' },
        { path: 'plan.pdf' },
      ],
    });

    const text = 'what is this?\n\n<file name="notes.txt">\nbuy milk\n</file>';
    expect(provider.requests[0]?.at(-1)).toMatchObject({
      content: text,
      parts: [
        { type: 'text', text },
        { type: 'image_inline', mimeType: 'image/png', data: 'AQID' },
        {
          type: 'file_inline',
          mimeType: 'application/pdf',
          data: 'JVBERi0xLjc=',
          name: 'plan.pdf',
        },
      ],
    });
  });

  it.each([
    [{ path: 'nowhere.png' }, /Cannot attach .*nowhere\.png: ENOENT/],
    [
      { data: new Uint8Array([1, 0, 2]), mimeType: 'application/zip', name: 'a.zip' },
      'a.zip is neither an image, a PDF nor text; attach one of these.',
    ],
  ])('that cannot be sent fail the question with a reason', async (attachment, reason) => {
    const query = createQuery({ provider: scriptedProvider(says('Hi.')), cwd: place.project });

    const asked = query('what is this?', { attachments: [attachment] });

    await expect(asked).rejects.toMatchObject({ code: 'invalid_attachment' });
    await expect(asked).rejects.toThrow(reason);
  });
});

describe('what is missing is said, also to callers without types', () => {
  const provider = scriptedProvider();

  it.each([
    ['no options', () => createQuery(undefined as never), 'createQuery needs the option provider'],
    ['no provider', () => createQuery({} as never), 'createQuery needs the option provider'],
  ])('%s', (_name, ask, message) => {
    expect(ask).toThrow(expect.objectContaining({ code: 'missing_option' }));
    expect(ask).toThrow(message);
  });

  it.each([
    ['string', (query: ReturnType<typeof createQuery>) => query(undefined as never)],
    ['result', (query: ReturnType<typeof createQuery>) => query.result(undefined as never)],
    [
      'object',
      (query: ReturnType<typeof createQuery>) => query.object(undefined as never, { schema: {} }),
    ],
  ])('no prompt, asked for a %s', async (_name, ask) => {
    await expect(ask(createQuery({ provider }))).rejects.toMatchObject({
      name: 'MissingOptionError',
      code: 'missing_option',
      option: 'prompt',
      message: 'A query needs the option prompt: a text.',
    });
  });

  it('an empty prompt is no answer', async () => {
    await expect(createQuery({ provider, cwd: place.project })(' ')).rejects.toMatchObject({
      code: 'refused',
      message: 'The prompt is empty.',
    });
  });
});
