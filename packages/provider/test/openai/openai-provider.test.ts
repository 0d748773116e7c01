import { type AssistantMessage, createUserMessage } from '@robota-sdk/agent-core';
import { OpenAIProvider } from '@robota-sdk/agent-provider/openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeVendor, type WireEvent } from '../fakes/fake-vendor.ts';
import { openaiChatDialect } from '../fakes/openai-chat-dialect.ts';
import { openaiResponsesDialect } from '../fakes/openai-responses-dialect.ts';

function event(value: { type: string } & Record<string, unknown>): WireEvent {
  return { event: value.type, data: JSON.stringify(value) };
}

describe('OpenAIProvider', () => {
  let vendor: FakeVendor;
  let url: string;

  beforeEach(async () => {
    vendor = new FakeVendor(() => undefined);
    url = await vendor.start();
  });

  afterEach(() => vendor.stop());

  it('uses Chat Completions for a local server, without a key', async () => {
    vendor.next({ kind: 'stream', events: openaiChatDialect.events({ text: ['ok'] }) });
    const provider = new OpenAIProvider({ model: 'llama', environment: { OPENAI_BASE_URL: url } });

    const reply = await provider.chat([createUserMessage('hi')]);

    expect(reply.content).toBe('ok');
    expect(vendor.requests[0]?.path).toBe('/v1/chat/completions');
    expect(vendor.requests[0]?.headers.authorization).toBeUndefined();
    expect(provider.getCapabilities().nativeWebTools.webSearch.supported).toBe(false);
  });

  it.each([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/api/paas/v4', '/api/paas/v4/chat/completions'],
    ['/v1beta/openai', '/v1beta/openai/chat/completions'],
  ])('finds the endpoint below the base URL path "%s"', async (path, expected) => {
    vendor.next({ kind: 'stream', events: openaiChatDialect.events({ text: ['ok'] }) });

    await new OpenAIProvider({ baseURL: `${url}${path}`, environment: {} }).chat([
      createUserMessage('hi'),
    ]);

    expect(vendor.requests[0]?.path).toBe(expected);
  });

  it('uses Responses for OpenAI itself', () => {
    const provider = new OpenAIProvider({
      environment: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'https://api.openai.com/v1' },
    });

    expect(provider.getCapabilities().nativeWebTools.webSearch.supported).toBe(true);
    expect(provider.validateConfig()).toBe(true);
  });

  it('supports stop sequences, and names the protocol that does not', async () => {
    vendor.next({ kind: 'stream', events: openaiChatDialect.events({ text: ['ok'] }) });
    const chat = new OpenAIProvider({ baseURL: url, api: 'chat', apiKey: 'k', environment: {} });
    const responses = new OpenAIProvider({ apiKey: 'k', environment: {} });
    const asked = [createUserMessage('hi')];

    await chat.chat(asked, { stopSequences: ['END'] });

    expect(vendor.requests[0]?.body).toMatchObject({ stop: ['END'] });
    await expect(responses.chat(asked, { stopSequences: ['END'] })).rejects.toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining("choose api: 'chat'"),
    });
  });

  it('names another server by its host when it is unreachable', async () => {
    await vendor.stop();
    const provider = new OpenAIProvider({ baseURL: url, environment: {} });

    await expect(provider.chat([createUserMessage('hi')])).rejects.toMatchObject({
      kind: 'network',
      message: `The connection to ${new URL(url).host} failed: connect ECONNREFUSED ${new URL(url).host}. Check the network, the proxy variables and OPENAI_BASE_URL.`,
    });
  });

  it('rejects an invalid base URL immediately', () => {
    expect(() => new OpenAIProvider({ environment: { OPENAI_BASE_URL: 'not a url' } })).toThrow(
      'Correct OPENAI_BASE_URL',
    );
  });

  it('names the variable to set when there is no key', async () => {
    const provider = new OpenAIProvider({ environment: {} });

    await expect(provider.chat([createUserMessage('hi')])).rejects.toThrow('OPENAI_API_KEY');
  });

  it('searches the web and reports the query', async () => {
    const seen: unknown[] = [];
    const [created, ...rest] = openaiResponsesDialect.events({ text: ['Found'] });
    const item = { id: 'ws_1', type: 'web_search_call' };
    vendor.next({
      kind: 'stream',
      events: [
        created as WireEvent,
        event({
          type: 'response.output_item.added',
          output_index: 7,
          item: { ...item, status: 'in_progress' },
        }),
        event({
          type: 'response.output_item.done',
          output_index: 7,
          item: { ...item, status: 'completed', action: { type: 'search', query: 'node 20' } },
        }),
        ...rest,
      ],
    });
    const provider = new OpenAIProvider({
      apiKey: 'key',
      baseURL: url,
      api: 'responses',
      environment: {},
    });
    provider.configureNativeWebTools({ webSearch: true });

    const reply = await provider.chat([createUserMessage('search')], {
      onServerToolUse: (name, input) => seen.push([name, input]),
    });

    expect(vendor.requests[0]?.body.tools).toMatchObject([{ type: 'web_search' }]);
    expect(seen).toEqual([['web_search', { type: 'search', query: 'node 20' }]]);
    expect((reply as AssistantMessage).toolCalls).toBeUndefined();
  });

  it.each([
    ['gpt-5.5', 'high', { effort: 'high', summary: 'auto' }],
    ['gpt-5.5', 'off', { effort: 'none' }],
    ['o4-mini', 'off', { effort: 'low' }],
  ] as const)('sends the reasoning options of %s for %s', async (model, thinking, reasoning) => {
    vendor.next({ kind: 'stream', events: openaiResponsesDialect.events({ text: ['ok'] }) });
    const provider = new OpenAIProvider({
      apiKey: 'key',
      baseURL: url,
      api: 'responses',
      environment: {},
    });

    await provider.chat([createUserMessage('hi')], { model, thinking });

    expect(vendor.requests[0]?.body).toMatchObject({ reasoning, store: false });
  });

  it('drops the item id of incomplete thinking', async () => {
    const abort = new AbortController();
    const events = openaiResponsesDialect.unfinished({ thinking: ['Hm'] }).slice(0, -1);
    vendor.next({ kind: 'stream', events, ending: 'hang' });
    const provider = new OpenAIProvider({
      apiKey: 'key',
      baseURL: url,
      api: 'responses',
      environment: {},
    });

    const reply = await provider.chat([createUserMessage('hi')], {
      signal: abort.signal,
      onThinkingDelta: () => abort.abort(),
    });

    expect(reply.parts).toEqual([{ type: 'thinking', text: 'Hm' }]);
  });

  it('does not retry when the balance is used up', async () => {
    vendor.next({
      kind: 'refusal',
      status: 429,
      body: {
        error: {
          message: 'You exceeded your quota',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      },
    });
    const provider = new OpenAIProvider({ apiKey: 'key', baseURL: url, environment: {} });

    await expect(provider.chat([createUserMessage('hi')])).rejects.toMatchObject({
      kind: 'rate_limit',
      isRetryable: false,
      message: expect.stringMatching(/ has no credit left for this key \(\d+\): You exceeded/),
    });
  });

  it('redacts the part of a key that the vendor quotes', async () => {
    vendor.next({
      kind: 'refusal',
      status: 401,
      body: {
        error: { message: 'Incorrect API key provided: sk-abcd****wxyz.', code: 'invalid_api_key' },
      },
    });
    const provider = new OpenAIProvider({ apiKey: 'sk-abcdefwxyz', baseURL: url, environment: {} });

    await expect(provider.chat([createUserMessage('hi')])).rejects.toThrow('provided: [REDACTED]');
  });
});
