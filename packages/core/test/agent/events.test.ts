import { Agent, type EngineEvent } from '@robota-sdk/agent-core';
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the events of an agent', () => {
  it('carry what the log needs to tell runs, rounds and calls apart', async () => {
    const events: EngineEvent[] = [];
    const provider = scriptedProvider(
      calls({ id: 'c1', name: 'Add', args: { a: 1 } }),
      says('3', { deltas: ['3', '!'] }),
    );
    const agent = new Agent({
      provider,
      model: 'm',
      sessionId: 's1',
      ownerPath: ['s1', 'agent'],
      tools: [fakeTool('Add', () => '3')],
      onEvent: (event) => void events.push(event),
    });

    await agent.run('1+2');

    const scope = { executionId: expect.any(String), conversationId: 's1' };
    const call = { index: 0, toolName: 'Add', toolCallId: 'c1', batchId: expect.any(String) };
    const of = (type: EngineEvent['type']) => events.filter((event) => event.type === type);
    expect(of('provider_request')).toMatchObject([
      { ...scope, round: 1, provider: 'scripted', model: 'm', historyLength: 1 },
      { ...scope, round: 2, historyLength: 3, tools: [{ name: 'Add' }] },
    ]);
    expect(of('provider_stream_raw_delta')).toMatchObject([
      { ...scope, round: 2, sequence: 0, delta: '3' },
      { ...scope, round: 2, sequence: 1, delta: '!' },
    ]);
    expect(of('tool_batch_started')).toMatchObject([
      { ...scope, round: 1, mode: 'parallel', maxConcurrency: 5, requestCount: 1, tools: ['Add'] },
    ]);
    expect(of('tool_execution_request')).toMatchObject([
      { ...scope, round: 1, ...call, parameters: { a: 1 }, ownerPath: ['s1', 'agent'] },
    ]);
    expect(of('tool_execution_result')).toMatchObject([
      { ...scope, round: 1, ...call, success: true, result: '3' },
    ]);
    expect(of('provider_response_normalized')).toMatchObject([
      { round: 1, toolCallsCount: 1 },
      { round: 2, toolCallsCount: 0 },
    ]);
  });

  it('of a run reach its own listener too, changes of history included', async () => {
    const heard: string[] = [];
    const agent = new Agent({ provider: scriptedProvider(says('Hi.')), systemMessage: 'S' });

    await agent.run('Hi', {
      beforeRound: () => agent.replaceHistory(agent.getHistory(), 'compaction'),
      onEvent: (event) => {
        if (event.type === 'history_mutation') heard.push(event.mutation);
      },
    });

    expect(heard).toEqual([
      'set_system_message',
      'append_message',
      'replace_all',
      'append_message',
    ]);
  });

  it('are all taken in before the run settles, and a late failure fails it', async () => {
    const taken: string[] = [];
    const provider = scriptedProvider(says('Hi.'), says('Hi again.'));
    const agent = new Agent({
      provider,
      onEvent: async (event) => {
        await nextTurn();
        taken.push(event.type);
        if (taken.length > 10) throw new Error('Disk full');
      },
    });

    await agent.run('Hi');

    expect(taken.at(-1)).toBe('history_mutation');
    await expect(agent.run('Again')).rejects.toThrow('Disk full');
  });

  it('between runs that could not be taken in fail the next run', async () => {
    let isBroken = true;
    const provider = scriptedProvider(says('Hi.'));
    const onEvent = async (): Promise<void> => {
      if (isBroken) throw new Error('Disk full');
    };
    const agent = new Agent({ provider, onEvent });
    agent.injectMessage('user', 'Note');
    isBroken = false;

    await expect(agent.run('Hi')).rejects.toThrow('Disk full');
    expect((await agent.run('Hi')).response).toBe('Hi.');
  });

  it('name server tools, whose use is told to the call or else to the provider', async () => {
    const used: string[] = [];
    const events: string[] = [];
    const searching = scriptedProvider(says('Found.'), says('Found again.'));
    const provider = {
      ...searching,
      onServerToolUse: (name: string) => void used.push(`provider: ${name}`),
      chat: (...[messages, options]: Parameters<typeof searching.chat>) => {
        options?.onServerToolUse?.('web_search', { query: 'x' });
        return searching.chat(messages, options);
      },
    };
    const agent = new Agent({
      provider,
      onEvent: (event) => {
        if (event.type === 'server_tool') events.push(event.tool);
      },
    });

    await agent.run('Search');
    await agent.run('Search', { onServerToolUse: (name) => used.push(`run: ${name}`) });

    expect(used).toEqual(['provider: web_search', 'run: web_search']);
    expect(events).toEqual(['web_search', 'web_search']);
  });
});
