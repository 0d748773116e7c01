import {
  Agent,
  AgentBusyError,
  createAssistantMessage,
  createSystemMessage,
  createToolMessage,
  createUserMessage,
  type EngineEvent,
  type Message,
  OUTCOME_UNKNOWN_TEXT,
} from '@robota-sdk/agent-core';
import {
  calls,
  fakeTool,
  says,
  scriptedProvider,
  strictProvider,
} from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

const call = (id: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'Read', arguments: '{}' },
});

describe('the history of an agent', () => {
  it('is cleared without the system message', async () => {
    const agent = new Agent({ provider: scriptedProvider(says('Hello.')), systemMessage: 'S' });
    await agent.run('Hi');

    agent.clearHistory();

    expect(agent.getHistory()).toMatchObject([{ role: 'system', content: 'S' }]);
    expect(agent.getFullHistory()).toEqual([]);
  });

  it('takes injected messages of every role', async () => {
    const provider = scriptedProvider(says('Yes.'));
    const agent = new Agent({ provider: strictProvider(provider) });
    agent.injectMessage('user', 'Earlier');
    agent.injectMessage('assistant', '[Context Summary]\nWe talked.');
    agent.injectMessage('tool', 'a result without a call', { toolCallId: 'x' });
    agent.injectMessage('system', 'Mind the time.');

    await agent.run('Still there?');

    expect(provider.requests[0]?.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Earlier'],
      ['assistant', '[Context Summary]\nWe talked.'],
      ['system', 'Mind the time.'],
      ['user', 'Still there?'],
    ]);
  });

  it('comes back whole from saved messages, dates revived and broken pairs mended', () => {
    const saved: Message[] = [
      createUserMessage('Read both'),
      createAssistantMessage(null, { toolCalls: [call('1'), call('2')] }),
      createToolMessage('second', '2'),
      createToolMessage('stray', '9'),
      createAssistantMessage('Done.'),
    ];
    const agent = new Agent({ provider: scriptedProvider(), systemMessage: 'S' });

    agent.restoreMessages(JSON.parse(JSON.stringify(saved)) as Message[]);

    const [system, ...rest] = agent.getHistory();
    expect(system?.content).toBe('S');
    expect(rest).toMatchObject([
      saved[0] ?? {},
      saved[1] ?? {},
      {
        role: 'tool',
        toolCallId: '1',
        content: OUTCOME_UNKNOWN_TEXT,
        metadata: { errorCode: 'outcome_unknown' },
      },
      { role: 'tool', toolCallId: '2', content: 'second' },
      saved[4] ?? {},
    ]);
  });

  it('comes back as far as it can be read from damaged messages', async () => {
    const provider = scriptedProvider(says('Here.'));
    const agent = new Agent({ provider: strictProvider(provider), tools: [fakeTool('Read')] });
    const damaged = [
      null,
      { role: 'wizard', content: 'Abracadabra' },
      { role: 'user', content: 7, timestamp: 'yesterday' },
      { id: 'a', role: 'assistant', content: null, toolCalls: [null, { id: '1' }, call('2')] },
      { id: 'b', role: 'assistant', toolCalls: 'many' },
    ] as unknown as Message[];

    agent.restoreMessages(damaged);
    await agent.run('Are you there?');

    expect(agent.getHistory()).toMatchObject([
      { role: 'user', content: '7', state: 'complete', timestamp: expect.any(Date) },
      { role: 'assistant', toolCalls: [{ id: '2' }] },
      { role: 'tool', toolCallId: '2', content: OUTCOME_UNKNOWN_TEXT },
      { role: 'assistant', state: 'complete' },
      { role: 'user', content: 'Are you there?' },
      { role: 'assistant', content: 'Here.' },
    ]);
  });

  it('takes a saved system message only when the agent has none of its own', () => {
    const saved = [createSystemMessage('Saved.'), createUserMessage('Hi')];
    const bare = new Agent({ provider: scriptedProvider() });
    const own = new Agent({ provider: scriptedProvider(), systemMessage: 'Own.' });

    bare.restoreMessages(saved);
    own.restoreMessages(saved);

    expect(bare.getSystemMessage()).toBe('Saved.');
    expect(own.getHistory().map((message) => message.content)).toEqual(['Own.', 'Hi']);
  });

  it('loses its end when it is truncated, in the timeline too', async () => {
    const agent = new Agent({
      provider: scriptedProvider(says('A'), says('B')),
      systemMessage: 'S',
    });
    await agent.run('1');
    const note = { id: 'n', timestamp: new Date(), category: 'event' as const, type: 'note' };
    agent.addHistoryEntry(note);
    await agent.run('2');

    agent.truncateHistory(3);

    expect(agent.getHistory().map((message) => message.content)).toEqual(['S', '1', 'A']);
    expect(agent.getFullHistory().map((entry) => entry.type)).toEqual([
      'user',
      'assistant',
      'note',
    ]);
  });

  it('refuses to be truncated to a length that is none', () => {
    const agent = new Agent({ provider: scriptedProvider() });

    expect(() => agent.truncateHistory(-1)).toThrow(RangeError);
    expect(() => agent.truncateHistory(Number.NaN)).toThrow(RangeError);
  });

  it('reports every change so that a reader can fold it again', async () => {
    const folded: Message[] = [];
    const onEvent = (event: EngineEvent): void => {
      if (event.type !== 'history_mutation') return;
      if (event.mutation === 'append_message' || event.mutation === 'inject_message') {
        folded[event.index] = event.message;
      } else if (event.mutation === 'replace_all') {
        folded.splice(0, folded.length, ...event.messages);
      } else if (event.mutation === 'truncate') {
        folded.length = event.length;
      } else if (event.mutation === 'clear') {
        folded.length = folded[0]?.role === 'system' ? 1 : 0;
      } else if (event.mutation === 'set_system_message') {
        const first = folded[0]?.role === 'system' ? 1 : 0;
        folded.splice(0, first, ...(event.message ? [event.message] : []));
      }
    };
    const provider = scriptedProvider(says('A'), calls({ id: '1', name: 'Read' }), says('B'));
    const agent = new Agent({ provider, systemMessage: 'S', tools: [fakeTool('Read')], onEvent });

    await agent.run('1');
    agent.setSystemMessage('T');
    agent.injectMessage('assistant', 'Injected');
    await agent.run('2');
    expect(folded).toEqual(agent.getHistory());
    agent.truncateHistory(4);
    agent.setSystemMessage(null);
    expect(folded).toEqual(agent.getHistory());
    agent.truncateHistory(400);
    expect(folded).toEqual(agent.getHistory());
    agent.replaceHistory([createAssistantMessage('Summary')], 'compaction');
    expect(folded).toEqual(agent.getHistory());
    agent.clearHistory();

    expect(folded).toEqual(agent.getHistory());
  });

  it('may be replaced between rounds, which is when compaction happens', async () => {
    const provider = scriptedProvider(calls({ id: '1', name: 'Read' }), says('Done.'));
    const agent = new Agent({ provider: strictProvider(provider), tools: [fakeTool('Read')] });

    await agent.run('Long work', {
      beforeRound: (round) => {
        if (round === 1) return;
        const [, reply, result] = agent.getHistory().slice(-3);
        const kept = [reply, result].filter((message) => message !== undefined);
        agent.replaceHistory([createAssistantMessage('Summary'), ...kept], 'compaction');
      },
    });

    expect(provider.requests[1]?.map((message) => message.role)).toEqual([
      'assistant',
      'assistant',
      'tool',
    ]);
  });

  it('cannot be changed while calls are open; injected messages wait for the next round', async () => {
    const refused: unknown[] = [];
    const read = fakeTool('Read', () => {
      for (const change of [
        () => agent.clearHistory(),
        () => agent.restoreMessages([]),
        () => agent.truncateHistory(0),
      ]) {
        try {
          change();
        } catch (error) {
          refused.push(error);
        }
      }
      agent.injectMessage('user', 'By the way');
      return 'text';
    });
    const provider = scriptedProvider(calls({ id: '1', name: 'Read' }), says('Done.'));
    const agent = new Agent({ provider: strictProvider(provider), tools: [read] });

    await agent.run('Go');

    expect(refused).toEqual([
      expect.any(AgentBusyError),
      expect.any(AgentBusyError),
      expect.any(AgentBusyError),
    ]);
    expect(provider.requests[1]?.map(({ content }) => content)).toEqual([
      'Go',
      null,
      'text',
      'By the way',
    ]);
  });

  it('changes model, provider, tools and system message from the next request on', async () => {
    const first = scriptedProvider(says('A'));
    const second = scriptedProvider(says('B'));
    const agent = new Agent({ provider: first, model: 'one' });
    await agent.run('1');

    agent.setProvider(second);
    agent.setModel('two');
    agent.setTools([fakeTool('Read')]);
    agent.setSystemMessage('New');
    await agent.run('2');

    expect(second.requestOptions[0]).toMatchObject({
      model: 'two',
      tools: [{ name: 'Read' }],
    });
    expect(second.requests[0]?.map((message) => message.content)).toEqual(['New', '1', 'A', '2']);
    expect([agent.getModel(), agent.getSystemMessage(), agent.getTools().length]).toEqual([
      'two',
      'New',
      1,
    ]);
  });
});
