import { Agent, type EngineEvent, type Message } from '@robota-sdk/agent-core';
import {
  calls,
  fakeTool,
  says,
  scriptedProvider,
  strictProvider,
} from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

describe('a batch of tool calls', () => {
  it('tells the model when it calls a tool that does not exist', async () => {
    const provider = scriptedProvider(calls({ id: '1', name: 'Fly' }), says('Sorry.'));
    const agent = new Agent({ provider: strictProvider(provider), tools: [fakeTool('Walk')] });

    await agent.run('Fly');

    expect(agent.getHistory()[2]).toMatchObject({
      content:
        'Error: Tool "Fly" is not registered, so the tool call was not executed. Available tools: Walk.',
      metadata: {
        success: false,
        errorCode: 'unknown_tool',
        requestedTool: 'Fly',
        availableTools: ['Walk'],
      },
    });
  });

  it('ends the run after two rounds in a row with unknown tools, and not after two apart', async () => {
    const fly = (id: string) => calls({ id, name: 'Fly' });
    const walk = calls({ id: 'w', name: 'Walk' });
    const tools = [fakeTool('Walk')];
    const stuck = scriptedProvider(fly('1'), fly('2'), says('Never asked.'));
    const apart = scriptedProvider(fly('1'), walk, fly('2'), says('I walked.'));

    const first = await new Agent({ provider: strictProvider(stuck), tools }).run('Fly');
    const second = await new Agent({ provider: strictProvider(apart), tools }).run('Fly');

    expect(first).toMatchObject({ response: '', endedBy: 'unknown_tools', rounds: 2 });
    expect(second).toMatchObject({ response: 'I walked.', endedBy: 'answer', rounds: 4 });
  });

  it('does not run a tool whose arguments are malformed, and quotes them', async () => {
    const provider = scriptedProvider(
      calls(
        { id: '1', name: 'Write', args: '{"path": "a' },
        { id: '2', name: 'Write', args: '[]' },
      ),
      says('Sorry.'),
    );
    const write = fakeTool('Write');
    const agent = new Agent({ provider: strictProvider(provider), tools: [write] });

    await agent.run('Write');

    expect(write.received).toEqual([]);
    const [first, second] = results(agent);
    expect(first?.content).toMatch(/^Error: The arguments are not valid JSON: .*\{"path": "a$/);
    expect(first?.metadata?.errorCode).toBe('invalid_arguments');
    expect(second?.content).toBe(
      'Error: The arguments must be a JSON object. The tool call was not executed. The arguments were: []',
    );
    expect(agent.getHistory()[1]).toMatchObject({
      toolCalls: [{ function: { arguments: '{"path": "a' } }, {}],
    });
    expect(provider.requests[1]?.[1]).toMatchObject({
      toolCalls: [{ function: { arguments: '{}' } }, { function: { arguments: '{}' } }],
    });
  });

  it('takes missing arguments as none', async () => {
    const provider = scriptedProvider(calls({ id: '1', name: 'Now', args: '' }), says('Noon.'));
    const now = fakeTool('Now');
    const agent = new Agent({ provider: strictProvider(provider), tools: [now] });

    await agent.run('What time is it?');

    expect(now.received).toEqual([{}]);
  });

  it('gives repeated and missing call ids ids of their own', async () => {
    const provider = scriptedProvider(
      calls({ id: 'x', name: 'Now' }, { id: 'x', name: 'Now' }, { id: '', name: 'Now' }),
      calls({ id: 'x', name: 'Now' }),
      says('Done.'),
    );
    const agent = new Agent({ provider: strictProvider(provider), tools: [fakeTool('Now')] });

    await agent.run('Go');

    expect(results(agent).map((message) => message.toolCallId)).toEqual([
      'x',
      'x_2',
      'call',
      'x_4',
    ]);
  });

  it('turns whatever a tool does wrong into a failed result', async () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const tools = [
      fakeTool('Throws', () => {
        throw new Error('Disk full');
      }),
      fakeTool('Nothing', () => undefined as never),
      fakeTool('Circular', () => ({ success: true, data: loop })),
      fakeTool('Fails', () => ({ success: false, error: 'No such file', errorCode: 'missing' })),
      {
        ...fakeTool('Picky'),
        validateParameters: () => ({ isValid: false, errors: ['path is required'] }),
      },
    ];
    const provider = scriptedProvider(
      calls(...tools.map((tool, index) => ({ id: `${index}`, name: tool.schema.name }))),
      says('Oh.'),
    );
    const agent = new Agent({ provider: strictProvider(provider), tools });

    await agent.run('Go');

    expect(results(agent).map(({ content, metadata }) => [content, metadata?.errorCode])).toEqual([
      ['Error: Disk full', 'tool_error'],
      ['Error: Tool "Nothing" did not answer with an outcome that says success.', 'tool_error'],
      [expect.stringContaining('circular structure'), 'tool_error'],
      ['Error: No such file', 'missing'],
      [
        'Error: The arguments do not fit the tool: path is required. The tool call was not executed. The arguments were: {}',
        'invalid_arguments',
      ],
    ]);
  });

  it('runs at most as many tools at once as the pool allows', async () => {
    let running = 0;
    let most = 0;
    const work = fakeTool('Work', async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'done';
    });
    const wanted = Array.from({ length: 9 }, (_, index) => ({ id: `${index}`, name: 'Work' }));
    const provider = scriptedProvider(calls(...wanted), says('Done.'));
    const agent = new Agent({ provider, tools: [work], toolConcurrency: 3 });

    await agent.run('Go');

    expect(most).toBe(3);
    expect(work.received).toHaveLength(9);
  });

  it('has each request in the log before the tool starts and each result before the model sees it', async () => {
    const order: string[] = [];
    const provider = scriptedProvider(calls({ id: '1', name: 'Work' }), says('Done.'));
    const onEvent = async (event: EngineEvent): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(event.type === 'history_mutation' ? event.mutation : event.type);
    };
    const work = fakeTool('Work', () => {
      order.push('tool runs');
      return 'done';
    });
    const asked = {
      ...provider,
      chat: (...args: Parameters<typeof provider.chat>) => {
        order.push('model is asked');
        return provider.chat(...args);
      },
    };
    const agent = new Agent({ provider: asked, tools: [work], onEvent });

    await agent.run('Go');

    const points = ['append_message', 'model is asked', 'tool_execution_request', 'tool runs'];
    const writeAhead = order.filter(
      (entry, index) =>
        [...points, 'tool_execution_result'].includes(entry) &&
        (entry !== 'append_message' || index === 0),
    );
    expect(writeAhead).toEqual([
      'append_message',
      'model is asked',
      'tool_execution_request',
      'tool runs',
      'tool_execution_result',
      'model is asked',
    ]);
  });

  it('does not run a tool whose request could not be logged', async () => {
    const provider = scriptedProvider(calls({ id: '1', name: 'Work' }), says('Never said.'));
    const work = fakeTool('Work');
    const onEvent = (event: EngineEvent): void => {
      if (event.type === 'tool_execution_request') throw new Error('Log is full');
    };
    const agent = new Agent({ provider, tools: [work], onEvent });

    await expect(agent.run('Go')).rejects.toThrow('Log is full');

    expect(work.received).toEqual([]);
    expect(results(agent)).toMatchObject([{ toolCallId: '1', metadata: { success: false } }]);
  });

  it('cuts a result of megabytes so that it fits the window', async () => {
    const provider = scriptedProvider(calls({ id: '1', name: 'Dump' }), says('Big.'));
    const dump = fakeTool('Dump', () => `start${'x'.repeat(5_000_000)}end`);
    const agent = new Agent({ provider, tools: [dump], contextMaxTokens: 10_000 });

    const result = await agent.run('Dump it');

    const [message] = results(agent);
    expect(result.endedBy).toBe('answer');
    expect(message?.content.length).toBeLessThan(12_000);
    expect(message?.content).toMatch(/^startx+\n\n\[\d+ characters left out here .*\]\n\nx+end$/);
  });
});

function results(agent: Agent): readonly (Message & { role: 'tool' })[] {
  return agent
    .getHistory()
    .filter((message): message is Message & { role: 'tool' } => message.role === 'tool');
}

describe('an error of a tool that is far too long', () => {
  it('reaches the model cut in the middle, and stands beside the message in short', async () => {
    const error = `begin ${'x'.repeat(100_000)} end`;
    const provider = scriptedProvider(calls({ id: '1', name: 'Walk' }), says('Sorry.'));
    const tools = [fakeTool('Walk', () => ({ success: false, error }))];
    const agent = new Agent({ provider, tools });

    await agent.run('Walk');

    const [told] = results(agent);
    expect(told?.content).toMatch(/^Error: begin x+\n\n\[70\d+ characters left out here/);
    expect(told?.content).toMatch(/x end$/);
    expect(told?.content?.length).toBeLessThan(30_200);
    expect(String(told?.metadata?.error).length).toBeLessThan(2_200);
  });

  it('stays as it is when it is not', async () => {
    const error = 'It rains.'.repeat(200);
    const provider = scriptedProvider(calls({ id: '1', name: 'Walk' }), says('Sorry.'));
    const tools = [fakeTool('Walk', () => ({ success: false, error }))];
    const agent = new Agent({ provider, tools });

    await agent.run('Walk');

    expect(results(agent)[0]).toMatchObject({ content: `Error: ${error}`, metadata: { error } });
  });
});
