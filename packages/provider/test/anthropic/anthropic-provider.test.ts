import {
  type AssistantMessage,
  createAssistantMessage,
  createSystemMessage,
  createToolMessage,
  createUserMessage,
  type Message,
  type ToolSchema,
} from '@robota-sdk/agent-core';
import { AnthropicProvider } from '@robota-sdk/agent-provider/anthropic';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolCall } from '../contract/describe-provider-contract.ts';
import { anthropicDialect, cachePoints } from '../fakes/anthropic-dialect.ts';
import { FakeVendor, type WireEvent } from '../fakes/fake-vendor.ts';

const tool = (name: string): ToolSchema => ({
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
});

function event(value: { type: string } & Record<string, unknown>): WireEvent {
  return { event: value.type, data: JSON.stringify(value) };
}

function block(index: number, content_block: object, ...deltas: object[]): WireEvent[] {
  return [
    event({ type: 'content_block_start', index, content_block }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ];
}

const START = anthropicDialect.unfinished({});

function end(stop_reason: string): WireEvent[] {
  return [
    event({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 5 },
    }),
    event({ type: 'message_stop' }),
  ];
}

const SEARCH = [
  ...block(
    0,
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    { type: 'input_json_delta', partial_json: '{"query":' },
    { type: 'input_json_delta', partial_json: '"node 20"}' },
  ),
  ...block(1, {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [
      {
        type: 'web_search_result',
        url: 'https://nodejs.org',
        title: 'Node',
        encrypted_content: 'ENCRYPTED',
        page_age: null,
      },
    ],
  }),
];

describe('AnthropicProvider', () => {
  let vendor: FakeVendor;
  let url: string;

  beforeEach(async () => {
    vendor = new FakeVendor((request) => {
      const fault = anthropicDialect.refuse(request);
      return fault ? { status: 400, body: anthropicDialect.errorBody(400, fault) } : undefined;
    });
    url = await vendor.start();
  });

  afterEach(() => vendor.stop());

  const create = (options: ConstructorParameters<typeof AnthropicProvider>[0] = {}) =>
    new AnthropicProvider({
      apiKey: 'key',
      baseURL: url,
      model: 'claude-sonnet-4-5',
      environment: {},
      ...options,
    });

  const play = (...events: WireEvent[]) => vendor.next({ kind: 'stream', events });
  const answer = () => play(...anthropicDialect.events({ text: ['ok'] }));
  const body = (index = 0) => vendor.requests[index]?.body as Record<string, never>;

  it('sets cache points after the tools, the system prompt and the last two requests', async () => {
    answer();
    const history: Message[] = [createSystemMessage('Be kind'), createUserMessage('one')];
    for (const round of ['1', '2', '3']) {
      history.push(
        createAssistantMessage(null, { toolCalls: [toolCall(round, '{}')] }),
        createToolMessage(`result ${round}`, round),
      );
    }

    await create().chat(history, { tools: [tool('Read'), tool('Write')] });

    const marked = { cache_control: { type: 'ephemeral' } };
    expect(body().tools).toMatchObject([{ name: 'Read' }, { name: 'Write', ...marked }]);
    expect(body().system).toMatchObject([marked]);
    expect(body().messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [marked] },
      { role: 'assistant' },
      { role: 'user', content: [marked] },
    ]);
    expect(cachePoints(body())).toBe(4);
  });

  it('searches the web, calls the listener, and repeats the search in the next request', async () => {
    const provider = create();
    const seen: unknown[] = [];
    play(
      ...START,
      ...SEARCH,
      ...block(2, { type: 'text', text: '' }, { type: 'text_delta', text: 'It is LTS.' }),
      ...end('end_turn'),
    );
    answer();
    const question = createUserMessage('search node 20');

    const capabilities = provider.configureNativeWebTools({ webSearch: true });
    const first = await provider.chat([question], {
      tools: [tool('Read')],
      onServerToolUse: (name, input) => seen.push([name, input]),
    });
    const revived = JSON.parse(JSON.stringify(first)) as AssistantMessage;
    await provider.chat([question, revived, createUserMessage('more')]);

    expect(capabilities.nativeWebTools.webSearch).toMatchObject({ supported: true, enabled: true });
    expect(body().tools).toMatchObject([
      { type: 'web_search_20250305', name: 'web_search' },
      { name: 'Read' },
    ]);
    expect(seen).toEqual([['web_search', { query: 'node 20' }]]);
    expect(first.content).toBe('It is LTS.');
    expect(first.toolCalls).toBeUndefined();
    expect(body(1).messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', input: { query: 'node 20' } },
          { type: 'web_search_tool_result', content: [{ encrypted_content: 'ENCRYPTED' }] },
          { type: 'text', text: 'It is LTS.' },
        ],
      },
      { role: 'user' },
    ]);
  });

  it('falls back to the listener on the provider, which enableWebTools belongs to', async () => {
    const provider = create();
    const seen: string[] = [];
    provider.enableWebTools = true;
    provider.onServerToolUse = (name) => seen.push(name);
    play(...START, ...SEARCH, ...end('end_turn'));

    await provider.chat([createUserMessage('search')]);

    expect(provider.enableWebTools).toBe(true);
    expect(seen).toEqual(['web_search']);
  });

  it('keeps web search off when the caller turned it off, whatever a session requests', () => {
    const chosen = create();
    chosen.enableWebTools = false;
    const configured = create();
    configured.configureNativeWebTools({ webSearch: false });
    const open = create();

    const enabled = [chosen, configured, open].map(
      (each) => each.configureNativeWebTools({ webSearch: true }).nativeWebTools.webSearch.enabled,
    );
    configured.enableWebTools = true;

    expect(enabled).toEqual([false, false, true]);
    expect([chosen, configured].map((each) => each.enableWebTools)).toEqual([false, true]);
  });

  it('omits a search without a result', async () => {
    answer();
    const cut = createAssistantMessage('Sear', {
      state: 'interrupted',
      parts: [
        { type: 'text', text: 'Sear' },
        {
          type: 'vendor',
          vendor: {
            family: 'anthropic',
            data: { kind: 'server_tool_call', id: 'srvtoolu_9', name: 'web_search', input: {} },
          },
        },
      ],
    });

    await create().chat([createUserMessage('search'), cut, createUserMessage('again')]);

    expect(vendor.requests[0]?.rawBody).not.toContain('srvtoolu_9');
  });

  it('continues a paused reply', async () => {
    play(...START, ...SEARCH, ...end('pause_turn'));
    play(
      ...START,
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Found it.' }),
      ...end('end_turn'),
    );

    const reply = await create().chat([createUserMessage('search')], {
      nativeWebTools: { webSearch: true },
    });

    expect(vendor.requests).toHaveLength(2);
    expect(body(1).messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [{ type: 'server_tool_use' }, { type: 'web_search_tool_result' }],
      },
    ]);
    expect(reply).toMatchObject({
      content: 'Found it.',
      metadata: { stopReason: 'end_turn', inputTokens: 480, outputTokens: 10 },
    });
  });

  it('reports the usage known so far when it is aborted', async () => {
    const abort = new AbortController();
    vendor.next({
      kind: 'stream',
      events: anthropicDialect.unfinished({ text: ['Hel'] }),
      ending: 'hang',
    });

    const reply = await create().chat([createUserMessage('hi')], {
      signal: abort.signal,
      onTextDelta: () => abort.abort(),
    });

    expect(reply.metadata).toMatchObject({
      inputTokens: 240,
      cacheReadTokens: 200,
      stopReason: 'aborted',
    });
  });

  it('skips unknown events', async () => {
    const [first, ...rest] = anthropicDialect.events({ text: ['Hello'] });
    play(first as WireEvent, event({ type: 'weather_report', sky: 'blue' }), ...rest);

    const reply = await create().chat([createUserMessage('hi')]);

    expect(reply.content).toBe('Hello');
  });

  it.each([
    ['claude-sonnet-4-5', 'high', { thinking: { type: 'enabled', budget_tokens: 24_576 } }],
    [
      'claude-opus-4-7',
      'low',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    ],
    ['claude-sonnet-4-5', 'off', { thinking: { type: 'disabled' } }],
  ] as const)('sends the thinking options of %s for %s', async (model, thinking, expected) => {
    answer();

    await create({ model }).chat([createUserMessage('hi')], { thinking });

    expect(body()).toMatchObject(expected);
  });

  it('requests early argument streaming from Anthropic itself, not from gateways', async () => {
    answer();
    const bodies: string[] = [];
    const official = new AnthropicProvider({
      apiKey: 'key',
      environment: {},
      fetch: (_url, init) => {
        bodies.push(String(init?.body));
        return Promise.reject(new Error('no network in tests'));
      },
    });

    await create().chat([createUserMessage('hi')], { tools: [tool('Read')] });
    await expect(
      official.chat([createUserMessage('hi')], { tools: [tool('Read')] }),
    ).rejects.toMatchObject({ kind: 'network' });

    expect(vendor.requests[0]?.rawBody).not.toContain('eager_input_streaming');
    expect(bodies[0]).toContain('"eager_input_streaming":true');
  });

  it('sends no thinking options to an old model', async () => {
    answer();

    await create({ model: 'claude-3-haiku-20240307' }).chat([createUserMessage('hi')], {
      thinking: 'high',
    });

    expect(body()).not.toHaveProperty('thinking');
  });

  it.each([
    [{ ANTHROPIC_API_KEY: 'env-key' }, 'x-api-key', 'env-key'],
    [{ ANTHROPIC_AUTH_TOKEN: 'env-token' }, 'authorization', 'Bearer env-token'],
    [
      { ANTHROPIC_API_KEY: ' ', ANTHROPIC_AUTH_TOKEN: 'env-token' },
      'authorization',
      'Bearer env-token',
    ],
  ])('reads key and base URL from %o', async (variables, header, value) => {
    answer();
    const provider = new AnthropicProvider({
      environment: { ...variables, ANTHROPIC_BASE_URL: `${url}/` },
    });

    await provider.chat([createUserMessage('hi')]);

    expect(vendor.requests[0]?.headers[header]).toBe(value);
  });

  it('accepts a base URL that includes the version', async () => {
    answer();

    await create({ baseURL: `${url}/v1` }).chat([createUserMessage('hi')]);

    expect(vendor.requests[0]?.path).toBe('/v1/messages');
  });

  it('names the variable to set when there is no key', async () => {
    const provider = new AnthropicProvider({ environment: {} });

    await expect(provider.chat([createUserMessage('hi')])).rejects.toMatchObject({
      kind: 'authentication',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
    expect(provider.validateConfig()).toBe(false);
  });

  it('reports the target of a redirect instead of following it with the key', async () => {
    vendor.next({
      kind: 'refusal',
      status: 307,
      body: {},
      headers: { location: 'https://elsewhere.test' },
    });

    await expect(create().chat([createUserMessage('hi')])).rejects.toThrow(
      'redirects to https://elsewhere.test: set ANTHROPIC_BASE_URL',
    );
    expect(vendor.requests).toHaveLength(1);
  });
});
