import {
  createAssistantMessage,
  createSystemMessage,
  createToolMessage,
  createUserMessage,
  type Message,
  type ProviderNativeRawPayload,
  type SessionLogEntry,
} from '@robota-sdk/agent-core';
import { ReplayProvider } from '@robota-sdk/agent-provider/replay';
import { describe, expect, it } from 'vitest';

const call = {
  id: 'call_1',
  type: 'function' as const,
  function: { name: 'Read', arguments: '{"filePath":"a"}' },
};
const asking = createAssistantMessage('Let me look.', { toolCalls: [call] });
const answer = createAssistantMessage('It is empty.');

function entry(event: string, round: number, fields: Record<string, unknown>): SessionLogEntry {
  return {
    timestamp: '2026-01-01T00:00:00.000Z',
    sessionId: 's',
    event,
    executionId: 'run-1',
    round,
    ...fields,
  };
}

/** A prompt, a tool call, its result and a reply, as read from a JSON log. */
function recording(): SessionLogEntry[] {
  const question = createUserMessage('read a');
  const result = createToolMessage('', 'call_1', { name: 'Read' });
  const entries = [
    entry('provider_request', 1, {
      model: 'm',
      messages: [createSystemMessage('today'), question],
    }),
    entry('provider_native_raw_payload', 1, {
      provider: 'anthropic',
      apiSurface: 'anthropic-messages',
      payloadKind: 'stream_event',
      sequence: 3,
      count: 2,
      payloads: [{ a: 1 }, { b: 2 }],
    }),
    entry('provider_thinking_delta', 1, { sequence: 0, delta: 'Hm' }),
    entry('provider_stream_raw_delta', 1, {
      sequence: 0,
      count: 2,
      delta: 'Let me look.',
      lengths: [4, 8],
    }),
    entry('provider_response_normalized', 1, { response: asking }),
    entry('provider_request', 2, { model: 'm', messages: [question, asking, result] }),
    entry('provider_stream_raw_delta', 2, { sequence: 0, delta: 'It is no' }),
    entry('provider_retry', 2, { attempt: 1 }),
    entry('provider_stream_raw_delta', 2, { sequence: 0, delta: 'It is ' }),
    entry('provider_stream_raw_delta', 2, { sequence: 1, delta: 'empty.' }),
    entry('provider_response_normalized', 2, { response: answer }),
  ];
  return JSON.parse(JSON.stringify(entries)) as SessionLogEntry[];
}

describe('ReplayProvider', () => {
  it('replays a conversation with the same deltas', async () => {
    const provider = new ReplayProvider({ entries: recording() });
    const text: string[] = [];
    const thinking: string[] = [];
    const payloads: ProviderNativeRawPayload[] = [];
    const options = {
      onTextDelta: (delta: string) => text.push(delta),
      onThinkingDelta: (delta: string) => thinking.push(delta),
      onProviderNativeRawPayload: (payload: ProviderNativeRawPayload) => payloads.push(payload),
    };
    const history: Message[] = [createSystemMessage('another day'), createUserMessage('read a')];

    const first = await provider.chat(history, options);
    history.push(first, createToolMessage('', 'another-id'));
    const second = await provider.chat(history, options);

    expect(text).toEqual(['Let ', 'me look.', 'It is ', 'empty.']);
    expect(thinking).toEqual(['Hm']);
    expect(payloads.map(({ sequence, payload }) => [sequence, payload])).toEqual([
      [3, { a: 1 }],
      [4, { b: 2 }],
    ]);
    expect([first, second]).toEqual([asking, answer]);
    expect(provider.remaining).toBe(0);
  });

  it('rejects a conversation that differs from the recording', async () => {
    const provider = new ReplayProvider({ entries: recording() });

    await expect(provider.chat([createUserMessage('read b')])).rejects.toMatchObject({
      name: 'ProviderError',
      isRetryable: false,
      message: expect.stringContaining(
        'differs from the recording at request 1: recorded user "read a", received user "read b"',
      ),
    });
  });

  it('rejects a different tool result', async () => {
    const provider = new ReplayProvider({ entries: recording() });
    const question = createUserMessage('read a');
    await provider.chat([question]);

    await expect(
      provider.chat([question, asking, createToolMessage('other', 'call_1')]),
    ).rejects.toThrow('at request 2: recorded tool "", received tool "other"');
  });

  it('rejects requests after the end of the recording', async () => {
    const provider = new ReplayProvider({ entries: [] });

    await expect(provider.chat([createUserMessage('hi')])).rejects.toThrow(
      'The recording ends after 0 requests',
    );
    expect(provider.validateConfig()).toBe(false);
  });

  it('reports a recorded run without a reply', async () => {
    const provider = new ReplayProvider({ entries: recording().slice(0, 3) });

    await expect(provider.chat([createUserMessage('read a')])).rejects.toThrow(
      'has no reply to request 1',
    );
  });

  it('matches a placeholder in the recording with any secret', async () => {
    const entries = [
      entry('provider_request', 1, { messages: [createUserMessage('use [REDACTED:openai] now')] }),
      entry('provider_response_normalized', 1, { response: answer }),
    ];

    const reply = await new ReplayProvider({ entries }).chat([createUserMessage('use sk-123 now')]);

    expect(reply.content).toBe('It is empty.');
    await expect(
      new ReplayProvider({ entries }).chat([createUserMessage('use sk-123 later')]),
    ).rejects.toThrow('differs');
  });

  it('emits recorded text without deltas in one delta', async () => {
    const entries = recording().filter((each) => each.event !== 'provider_stream_raw_delta');
    const text: string[] = [];
    const calls: string[] = [];

    await new ReplayProvider({ entries }).chat([createUserMessage('read a')], {
      onTextDelta: (delta) => text.push(delta),
      onToolCallDelta: (delta) => calls.push(delta.argumentsDelta),
    });

    expect(text).toEqual(['Let me look.']);
    expect(calls).toEqual(['{"filePath":"a"}']);
  });

  it('stops when aborted and keeps the emitted text', async () => {
    const abort = new AbortController();

    const reply = await new ReplayProvider({ entries: recording() }).chat(
      [createUserMessage('read a')],
      { signal: abort.signal, onTextDelta: () => abort.abort() },
    );

    expect(reply).toMatchObject({ content: 'Let ', state: 'interrupted' });
  });
});
