import {
  createAssistantMessage,
  createToolMessage,
  createUserMessage,
  type ToolSchema,
} from '@robota-sdk/agent-core';
import { GoogleProvider } from '@robota-sdk/agent-provider/google';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolCall } from '../contract/describe-provider-contract.ts';
import { FakeVendor } from '../fakes/fake-vendor.ts';
import { googleDialect } from '../fakes/google-dialect.ts';

const READ: ToolSchema = {
  name: 'Read',
  description: 'Reads',
  parameters: { type: 'object', properties: { filePath: { type: 'string' } } },
};

describe('GoogleProvider', () => {
  let vendor: FakeVendor;
  let url: string;

  beforeEach(async () => {
    vendor = new FakeVendor(() => undefined);
    url = await vendor.start();
  });

  afterEach(() => vendor.stop());

  const create = (model: string) =>
    new GoogleProvider({ apiKey: 'key', baseURL: url, model, environment: {} });
  const answer = () =>
    vendor.next({ kind: 'stream', events: googleDialect.events({ text: ['ok'] }) });

  it.each(['GEMINI_API_KEY', 'GOOGLE_API_KEY'])(
    'takes key and address from the environment (%s)',
    async (name) => {
      answer();
      const provider = new GoogleProvider({
        environment: { [name]: 'env-key', GOOGLE_GEMINI_BASE_URL: url },
      });

      await provider.chat([createUserMessage('hi')]);

      expect(vendor.requests[0]?.headers['x-goog-api-key']).toBe('env-key');
      expect(vendor.requests[0]?.path).toMatch(/^\/v1beta\/models\//);
    },
  );

  it('sends a signature back on its tool call', async () => {
    vendor.next({
      kind: 'stream',
      events: googleDialect.events({
        calls: [{ id: 'c1', name: 'Read', pieces: ['{"filePath":"a"}'] }],
      }),
    });
    answer();
    const provider = create('gemini-3-pro-preview');
    const question = createUserMessage('read');

    const first = await provider.chat([question], { tools: [READ] });
    const [call] = 'toolCalls' in first ? (first.toolCalls ?? []) : [];
    await provider.chat([question, first, createToolMessage('text', call?.id ?? '')], {
      tools: [READ],
    });

    expect(call?.vendor).toEqual({
      family: 'google',
      data: { thoughtSignature: 'signature-of-the-vendor' },
    });
    expect(vendor.requests[1]?.rawBody).toContain('"thoughtSignature":"signature-of-the-vendor"');
  });

  it('reads the retry delay from RetryInfo', async () => {
    vendor.next({
      kind: 'refusal',
      status: 429,
      body: {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: 'Quota exceeded',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36.5s' }],
        },
      },
    });

    await expect(create('gemini-2.5-pro').chat([createUserMessage('hi')])).rejects.toMatchObject({
      kind: 'rate_limit',
      retryAfterMs: 36_500,
    });
  });

  it('recognises a wrong key with status 400', async () => {
    vendor.next({
      kind: 'refusal',
      status: 400,
      body: {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'API key not valid. Please pass a valid API key.',
          details: [
            { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
          ],
        },
      },
    });

    await expect(create('gemini-2.5-pro').chat([createUserMessage('hi')])).rejects.toMatchObject({
      kind: 'authentication',
      message: expect.stringContaining('GEMINI_API_KEY'),
    });
  });

  it('reports a malformed tool call of the model as retryable', async () => {
    const data = JSON.stringify({
      candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }],
    });
    vendor.next({ kind: 'stream', events: [{ data }] });

    await expect(create('gemini-2.5-pro').chat([createUserMessage('hi')])).rejects.toMatchObject({
      isRetryable: true,
    });
  });

  it.each([
    ['gemini-2.5-flash', 'off', { thinkingBudget: 0, includeThoughts: false }],
    ['gemini-2.5-pro', 'off', { thinkingBudget: 128, includeThoughts: false }],
    ['gemini-3-pro-preview', 'high', { thinkingLevel: 'high', includeThoughts: true }],
  ] as const)(
    'sends the thinking options of %s for %s',
    async (model, thinking, thinkingConfig) => {
      answer();

      await create(model).chat([createUserMessage('hi')], { thinking });

      expect(vendor.requests[0]?.body.generationConfig).toMatchObject({ thinkingConfig });
    },
  );

  it.each([
    ['gemini-2.5-pro', false],
    ['gemini-3-pro-preview', true],
  ])('keeps the functions when %s should also search', async (model, mixes) => {
    answer();

    await create(model).chat([createUserMessage('hi')], {
      tools: [READ],
      nativeWebTools: { webSearch: true },
    });

    const sent = JSON.stringify(vendor.requests[0]?.body.tools);
    expect(sent).toContain('"Read"');
    expect(sent.includes('googleSearch')).toBe(mixes);
  });

  it('sends a tool result that is only an image', async () => {
    answer();

    await create('gemini-2.5-pro').chat([
      createUserMessage('look'),
      createAssistantMessage(null, { toolCalls: [toolCall('c1', '{}')] }),
      createToolMessage('', 'c1', {
        parts: [{ type: 'image_inline', mimeType: 'image/png', data: 'QQ==' }],
      }),
    ]);

    expect(vendor.requests[0]?.rawBody).toContain('functionResponse');
    expect(vendor.requests[0]?.rawBody).toContain('QQ==');
  });
});
