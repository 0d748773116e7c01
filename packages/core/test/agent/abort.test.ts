import { Agent, createAssistantMessage, type Message, type Provider } from '@robota-sdk/agent-core';
import {
  calls,
  fakeTool,
  manualClock,
  says,
  scriptedProvider,
} from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

describe('an aborted run', () => {
  it('keeps the text that had arrived and resolves as interrupted', async () => {
    const provider = scriptedProvider(says('One two three', { deltas: ['One ', 'two ', 'three'] }));
    const agent = new Agent({ provider });
    const controller = new AbortController();

    const result = await agent.run('Count', {
      signal: controller.signal,
      onTextDelta: (delta) => delta === 'two ' && controller.abort(),
    });

    expect(result).toEqual({
      response: 'One two ',
      interrupted: true,
      rounds: 1,
      endedBy: 'abort',
    });
    expect(agent.getHistory().at(-1)).toMatchObject({
      role: 'assistant',
      content: 'One two ',
      state: 'interrupted',
    });
  });

  it('tells the model in the next request only that its reply was interrupted', async () => {
    const controller = new AbortController();
    const provider = scriptedProvider(says('Half', { deltas: ['Ha', 'lf'] }), says('Again.'));
    const agent = new Agent({ provider });
    const onTextDelta = (): void => controller.abort();
    await agent.run('Go', { signal: controller.signal, onTextDelta });

    await agent.run('And?');

    expect(provider.requests[1]?.[1]?.content).toBe(
      'Ha\n\n[This response was interrupted by the user]',
    );
    expect(agent.getHistory()[1]?.content).toBe('Ha');
  });

  it('asks the provider nothing when it was aborted before it began', async () => {
    const provider = scriptedProvider(says('Never said.'));
    const agent = new Agent({ provider });

    const result = await agent.run('Go', { signal: AbortSignal.abort() });

    expect(result).toEqual({
      response: '',
      interrupted: true,
      rounds: 0,
      endedBy: 'abort',
    });
    expect(provider.requests).toEqual([]);
  });

  it('reaches the tools, answers the calls not begun, and asks the provider no more', async () => {
    const provider = scriptedProvider(
      calls({ id: '1', name: 'Wait' }, { id: '2', name: 'Next' }),
      says('Never said.'),
    );
    const controller = new AbortController();
    const wait = fakeTool('Wait', (_parameters, { signal }) => {
      const stopped = new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => resolve('stopped early'));
      });
      controller.abort();
      return stopped;
    });
    const next = fakeTool('Next');
    const agent = new Agent({ provider, tools: [wait, next], toolConcurrency: 1 });

    const result = await agent.run('Go', { signal: controller.signal });

    expect(result).toMatchObject({ interrupted: true, endedBy: 'abort', rounds: 1 });
    expect(toolResults(agent)).toEqual([
      ['1', 'stopped early', undefined],
      ['2', 'Error: Execution interrupted by user', 'interrupted'],
    ]);
    expect(next.received).toEqual([]);
    expect(provider.requests).toHaveLength(1);
  });

  it('does not wait for ever for a tool that ignores it, and drops the late result', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    let endLate = (_text: string): void => {};
    const deaf = fakeTool('Deaf', () => {
      const late = new Promise<string>((resolve) => {
        endLate = resolve;
      });
      controller.abort();
      queueMicrotask(() => clock.advance(50));
      return late;
    });
    const provider = scriptedProvider(calls({ id: '1', name: 'Deaf' }));
    const agent = new Agent({ provider, tools: [deaf], clock, abortGraceMs: 50 });

    const result = await agent.run('Go', { signal: controller.signal });
    endLate('too late');
    await Promise.resolve();

    expect(result.endedBy).toBe('abort');
    expect(toolResults(agent)).toEqual([
      ['1', 'Error: Execution interrupted by user', 'interrupted'],
    ]);
  });

  it('does not wait for ever for a provider that ignores it', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const deaf: Provider = {
      name: 'deaf',
      chat: (_messages, options) => {
        options?.onTextDelta?.('Partial');
        controller.abort();
        queueMicrotask(() => clock.advance(50));
        return new Promise(() => {});
      },
    };
    const agent = new Agent({ provider: deaf, clock, abortGraceMs: 50 });

    const result = await agent.run('Go', { signal: controller.signal });

    expect(result).toMatchObject({ response: 'Partial', interrupted: true });
  });

  it('hears nothing more of a provider that goes on after it', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const heard: string[] = [];
    let speak = (_delta: string): void => {};
    let failLate = (_error: Error): void => {};
    const provider: Provider = {
      name: 'chatty',
      chat: (_messages, options) => {
        speak = (delta) => options?.onTextDelta?.(delta);
        speak('Before');
        controller.abort();
        queueMicrotask(() => clock.advance(50));
        return new Promise((_resolve, reject) => {
          failLate = reject;
        });
      },
    };
    const agent = new Agent({ provider, clock, abortGraceMs: 50 });
    const onTextDelta = (delta: string): void => void heard.push(delta);

    await agent.run('Go', { signal: controller.signal, onTextDelta });
    speak('After');
    failLate(new Error('Too late to matter'));
    await new Promise((resolve) => setImmediate(resolve));

    expect(heard).toEqual(['Before']);
    expect(agent.getHistory().at(-1)?.content).toBe('Before');
  });

  it('keeps all that was shown when the provider hands back less', async () => {
    const controller = new AbortController();
    const provider: Provider = {
      name: 'forgetful',
      chat: async (_messages, options) => {
        options?.onTextDelta?.('One two');
        controller.abort();
        return createAssistantMessage('One', { state: 'interrupted' });
      },
    };
    const agent = new Agent({ provider });

    const result = await agent.run('Go', { signal: controller.signal });

    expect(result.response).toBe('One two');
  });

  it('answers the calls of a reply that arrived together with the abort', async () => {
    const controller = new AbortController();
    const provider: Provider = {
      name: 'late',
      chat: async () => {
        controller.abort();
        return createAssistantMessage('Let me see', {
          toolCalls: [
            { id: '1', type: 'function', function: { name: 'Read', arguments: '{}' } },
            { id: '2', type: 'function', function: { name: 'Read', arguments: '{"pa' } },
          ],
        });
      },
    };
    const read = fakeTool('Read');
    const agent = new Agent({ provider, tools: [read] });

    await agent.run('Go', { signal: controller.signal });

    expect(toolResults(agent)).toEqual([
      ['1', 'Error: Execution interrupted by user', 'interrupted'],
    ]);
    expect(read.received).toEqual([]);
  });
});

function toolResults(agent: Agent) {
  return agent
    .getHistory()
    .filter((message): message is Message & { role: 'tool' } => message.role === 'tool')
    .map(({ toolCallId, content, metadata }) => [toolCallId, content, metadata?.errorCode]);
}
