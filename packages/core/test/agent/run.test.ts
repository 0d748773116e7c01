import { Agent, AgentBusyError, type EngineEvent } from '@robota-sdk/agent-core';
import {
  calls,
  fakeTool,
  says,
  scriptedProvider,
  strictProvider,
} from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

describe('a run', () => {
  it('answers a prompt and keeps both sides in history', async () => {
    const provider = scriptedProvider(says('Hello.'));
    const agent = new Agent({ provider, model: 'test', systemMessage: 'Be kind.' });

    const result = await agent.run('Hi');

    expect(result).toEqual({
      response: 'Hello.',
      interrupted: false,
      rounds: 1,
      endedBy: 'answer',
    });
    expect(agent.getHistory().map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be kind.'],
      ['user', 'Hi'],
      ['assistant', 'Hello.'],
    ]);
    expect(agent.getFullHistory().map((entry) => entry.type)).toEqual(['user', 'assistant']);
  });

  it('does what the model asks and hands the results back in call order', async () => {
    const provider = scriptedProvider(
      calls({ id: 'a', name: 'Slow' }, { id: 'b', name: 'Fast', args: { x: 1 } }),
      says('Both done.'),
    );
    let finishSlow = (): void => {};
    const slowEnds = new Promise<void>((resolve) => {
      finishSlow = resolve;
    });
    const slow = fakeTool('Slow', async () => {
      await slowEnds;
      return 'slow result';
    });
    const fast = fakeTool('Fast', () => {
      finishSlow();
      return { success: true, data: { answer: 42 } };
    });
    const agent = new Agent({ provider: strictProvider(provider), tools: [slow, fast] });

    const result = await agent.run('Go');

    expect(result.response).toBe('Both done.');
    expect(result.rounds).toBe(2);
    expect(fast.received).toEqual([{ x: 1 }]);
    expect(
      provider.requests[1]?.slice(2).map((message) => [message.role, message.content]),
    ).toEqual([
      ['tool', 'slow result'],
      ['tool', '{"answer":42}'],
    ]);
  });

  it('takes a prompt with an image', async () => {
    const provider = scriptedProvider(says('A cat.'));
    const agent = new Agent({ provider: strictProvider(provider) });
    const parts = [{ type: 'image_inline', mimeType: 'image/png', data: 'AAAA' }] as const;

    await agent.run({ content: '', parts });

    expect(provider.requests[0]).toMatchObject([{ role: 'user', content: '', parts }]);
  });

  it('shares its provider with other agents without hearing them', async () => {
    const provider = scriptedProvider(says('For one.'), says('For two.'));
    const heard: string[][] = [[], []];
    const [one, two] = [new Agent({ provider }), new Agent({ provider })];

    await Promise.all([
      one.run('1', { onTextDelta: (delta) => heard[0]?.push(delta) }),
      two.run('2', { onTextDelta: (delta) => heard[1]?.push(delta) }),
    ]);

    expect(heard).toEqual([['For one.'], ['For two.']]);
    expect(one.getHistory().map((message) => message.content)).toEqual(['1', 'For one.']);
  });

  it('refuses a second run while one is under way', async () => {
    const provider = scriptedProvider(says('One.'), says('Two.'));
    const agent = new Agent({ provider });

    const first = agent.run('1');
    const second = agent.run('2');

    expect(agent.isRunning()).toBe(true);
    await expect(second).rejects.toThrow(AgentBusyError);
    await expect(second).rejects.toMatchObject({ code: 'session_busy' });
    expect((await first).response).toBe('One.');
    expect((await agent.run('2')).response).toBe('Two.');
  });

  it('reports its events in order', async () => {
    const provider = scriptedProvider(calls({ id: 'a', name: 'Add' }), says('3'));
    const seen: string[] = [];
    const onEvent = (event: EngineEvent): void => {
      seen.push(event.type === 'history_mutation' ? event.mutation : event.type);
    };
    const agent = new Agent({ provider, tools: [fakeTool('Add')], systemMessage: 'S', onEvent });

    await agent.run('1+2');

    expect(seen).toEqual([
      'set_system_message',
      'append_message',
      'provider_request',
      'provider_response_raw',
      'provider_response_normalized',
      'assistant_message_committed',
      'append_message',
      'tool_batch_started',
      'tool_execution_request',
      'tool_execution_result',
      'tool_message_committed',
      'append_message',
      'provider_request',
      'provider_stream_raw_delta',
      'provider_response_raw',
      'provider_response_normalized',
      'assistant_message_committed',
      'append_message',
    ]);
  });
});
