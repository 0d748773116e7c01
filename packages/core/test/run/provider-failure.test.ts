import {
  Agent,
  createAssistantMessage,
  type EngineEvent,
  type Message,
  type Provider,
  ProviderError,
} from '@robota-sdk/agent-core';
import { fails, manualClock, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { describe, expect, it, vi } from 'vitest';

function overloaded(retryAfterMs?: number): ProviderError {
  return new ProviderError('529 overloaded', {
    provider: 'scripted',
    kind: 'overloaded',
    status: 529,
    isRetryable: true,
    retryAfterMs,
  });
}

describe('a provider that fails', () => {
  it('is asked again with growing waits until it answers', async () => {
    const clock = manualClock();
    const dropped = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    });
    const serverFault = Object.assign(new Error('502 Bad Gateway'), { status: 502 });
    const provider = scriptedProvider(
      fails(overloaded()),
      fails(dropped),
      fails(serverFault),
      says('At last.'),
    );
    const agent = new Agent({ provider, clock });

    const result = await agent.run('Go');

    expect(result).toMatchObject({ response: 'At last.', rounds: 1 });
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000]);
  });

  it('is given the time it asks for', async () => {
    const clock = manualClock();
    const provider = scriptedProvider(fails(overloaded(17_000)), says('Thanks.'));
    const events: EngineEvent[] = [];
    const agent = new Agent({ provider, clock, onEvent: (event) => void events.push(event) });

    await agent.run('Go');

    expect(clock.sleeps).toEqual([17_000]);
    expect(events.filter((event) => event.type === 'provider_retry')).toMatchObject([
      { attempt: 1, waitMs: 17_000, reason: '529 overloaded', round: 1 },
    ]);
  });

  it('fails the run when it asks for longer than we are willing to wait', async () => {
    const clock = manualClock();
    const provider = scriptedProvider(fails(overloaded(60_000)), says('Never said.'));
    const agent = new Agent({ provider, clock, retry: { maxRetryAfterMs: 59_999 } });

    await expect(agent.run('Go')).rejects.toThrow('529 overloaded');
    expect(clock.sleeps).toEqual([]);
  });

  it('fails the run once the retries are used up, and the agent stays usable', async () => {
    const clock = manualClock();
    const provider = scriptedProvider(fails(overloaded()), fails(overloaded()), says('Back.'));
    const agent = new Agent({ provider, clock, retry: { maxRetries: 1 } });

    await expect(agent.run('Go')).rejects.toMatchObject({ kind: 'overloaded', status: 529 });
    expect(await agent.run('Again')).toMatchObject({ response: 'Back.' });
    expect(provider.requests[2]?.map((message) => message.content)).toEqual(['Go', 'Again']);
  });

  it('is not asked again about a mistake of ours', async () => {
    const clock = manualClock();
    const refusal = Object.assign(new Error('400 abort field unknown'), { status: 400 });
    const provider = scriptedProvider(fails(refusal), says('Never said.'));
    const agent = new Agent({ provider, clock });

    await expect(agent.run('Go')).rejects.toBe(refusal);
    expect(provider.requests).toHaveLength(1);
  });

  it('is not asked again after text was shown; the text stays as interrupted', async () => {
    const clock = manualClock();
    const provider = scriptedProvider(fails(overloaded(), 'Half a sen'), says('Whole.'));
    const agent = new Agent({ provider, clock });

    await expect(agent.run('Go')).rejects.toThrow('529 overloaded');
    await agent.run('Again');

    expect(clock.sleeps).toEqual([]);
    expect(agent.getHistory()[1]).toMatchObject({ content: 'Half a sen', state: 'interrupted' });
    expect(provider.requests[1]?.[1]?.content).toBe(
      'Half a sen\n\n[This response was cut off by an error]',
    );
  });

  it('is not waited for after an abort', async () => {
    const controller = new AbortController();
    const provider = scriptedProvider(fails(overloaded()), says('Never said.'));
    const agent = new Agent({ provider });
    const onEvent = (event: EngineEvent): void => {
      if (event.type === 'provider_retry') controller.abort();
    };

    const result = await agent.run('Go', { signal: controller.signal, onEvent });

    expect(result).toMatchObject({ interrupted: true, endedBy: 'abort' });
    expect(provider.requests).toHaveLength(1);
  });

  it.each([
    [undefined, 'is not a message'],
    [{ role: 'user', content: 'x' }, 'has the role "user"'],
    [{ role: 'assistant', content: 7 }, 'has content that is not text'],
    [{ role: 'assistant', content: '', toolCalls: {} }, 'has tool calls that are not a list'],
    [{ role: 'assistant', content: '', toolCalls: [{}] }, 'has a tool call without a function'],
  ])('fails the run when it answers with %j', async (reply, problem) => {
    const provider = { name: 'odd', chat: async () => reply } as unknown as Provider;
    const agent = new Agent({ provider });

    await expect(agent.run('Go')).rejects.toMatchObject({
      kind: 'malformed_reply',
      message: `The reply of provider "odd" ${problem}; an assistant message was expected.`,
    });
    expect(agent.getHistory().map((message) => message.role)).toEqual(['user']);
  });
});

describe('the idle timeout', () => {
  it('ends a call that shows no life, and stops the provider', async () => {
    const clock = manualClock();
    let reason: unknown;
    const provider: Provider = {
      name: 'silent',
      chat: (_messages, options) => {
        options?.signal?.addEventListener('abort', () => {
          reason = options.signal?.reason;
        });
        queueMicrotask(() => clock.advance(1_000));
        return new Promise(() => {});
      },
    };
    const agent = new Agent({ provider, clock, timeout: 1_000 });

    await expect(agent.run('Go')).rejects.toMatchObject({
      kind: 'idle_timeout',
      message: 'Provider call idle timeout after 1000ms',
    });
    expect(reason).toBeInstanceOf(ProviderError);
  });

  it('may be as long as anyone likes', async () => {
    vi.useFakeTimers();
    try {
      let answer = (_reply: Message): void => {};
      const provider: Provider = {
        name: 'patient',
        chat: () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      };
      const run = new Agent({ provider, timeout: Number.POSITIVE_INFINITY }).run('Go');

      await vi.advanceTimersByTimeAsync(3_600_000);
      answer(createAssistantMessage('At last.'));

      expect((await run).response).toBe('At last.');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is put off by text, thinking, tool arguments, server tools and raw payloads alike', async () => {
    const clock = manualClock();
    const provider: Provider = {
      name: 'slow',
      chat: async (_messages, options) => {
        clock.advance(900);
        options?.onTextDelta?.('A');
        clock.advance(900);
        options?.onThinkingDelta?.('hm');
        clock.advance(900);
        options?.onToolCallDelta?.({ id: '1', name: 'Write', argumentsDelta: '{' });
        clock.advance(900);
        options?.onServerToolUse?.('web_search', {});
        clock.advance(900);
        options?.onProviderNativeRawPayload?.({
          provider: 'slow',
          payloadKind: 'stream_event',
          payload: {},
        });
        clock.advance(900);
        return createAssistantMessage('A');
      },
    };
    const agent = new Agent({ provider, clock, timeout: 1_000 });

    expect(await agent.run('Go')).toMatchObject({ response: 'A', endedBy: 'answer' });
  });
});
