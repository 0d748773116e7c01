import { Agent } from '@robota-sdk/agent-core';
import {
  calls,
  fakeTool,
  says,
  scriptedProvider,
  strictProvider,
  thinks,
} from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

const readOnce = (id: string) => calls({ id, name: 'Read' });

describe('the rounds of a run', () => {
  it('end at the cap: as many calls of the model, whose last tool calls are not run', async () => {
    const provider = scriptedProvider(readOnce('1'), readOnce('2'));
    const read = fakeTool('Read');
    const agent = new Agent({ provider: strictProvider(provider), tools: [read] });

    const result = await agent.run('Go', { maxExecutionRounds: 2 });

    expect(result).toEqual({ response: '', interrupted: false, rounds: 2, endedBy: 'round_cap' });
    expect(provider.requests).toHaveLength(2);
    expect(read.received).toHaveLength(1);
    expect(agent.getHistory().at(-1)).toMatchObject({
      role: 'tool',
      metadata: { success: false, errorCode: 'not_run' },
    });
  });

  it.each([
    ['max_tokens', 'max_tokens'],
    ['length', 'max_tokens'],
    ['MAX_TOKENS', 'max_tokens'],
    ['refusal', 'refusal'],
    ['content_filter', 'refusal'],
    ['SAFETY', 'refusal'],
    ['end_turn', 'answer'],
  ])('say how an answer with the stop reason %s ended', async (stopReason, endedBy) => {
    const provider = scriptedProvider(says('As far as', { metadata: { stopReason } }));

    const result = await new Agent({ provider }).run('Go');

    expect(result).toMatchObject({ response: 'As far as', endedBy });
  });

  it('have no cap when it is 0', async () => {
    const rounds = Array.from({ length: 25 }, (_, index) => readOnce(`${index}`));
    const provider = scriptedProvider(...rounds, says('Done.'));
    const agent = new Agent({ provider, tools: [fakeTool('Read')] });

    const result = await agent.run('Go', { maxExecutionRounds: 0 });

    expect(result).toMatchObject({ rounds: 26, endedBy: 'answer' });
  });

  it('end without an answer when the model says nothing', async () => {
    const agent = new Agent({ provider: scriptedProvider(says('')) });

    expect(await agent.run('Go')).toEqual({
      response: '',
      interrupted: false,
      rounds: 1,
      endedBy: 'empty_reply',
    });
    expect(agent.getHistory().map((message) => message.role)).toEqual(['user']);
  });

  it('keep reasoning that led to no words, and stand words in its place for the vendor', async () => {
    const provider = scriptedProvider(thinks('Hm', says('')), says('Yes.'));
    const agent = new Agent({ provider: strictProvider(provider) });

    const result = await agent.run('Go');
    await agent.run('Well?');

    expect(result.endedBy).toBe('empty_reply');
    expect(agent.getHistory()[1]).toMatchObject({ parts: [{ type: 'thinking', text: 'Hm' }] });
    expect(provider.requests[1]?.[1]).toMatchObject({
      content: '(no text)',
      parts: [
        { type: 'thinking', text: 'Hm' },
        { type: 'text', text: '(no text)' },
      ],
    });
  });

  it('go on after a tool that does not exist once a tool that does was asked for', async () => {
    const provider = scriptedProvider(
      calls({ id: '1', name: 'Fly' }),
      calls({ id: '2', name: 'Read' }),
      calls({ id: '3', name: 'Fly' }),
      says('I walk.'),
    );
    const agent = new Agent({ provider, tools: [fakeTool('Read')] });

    expect(await agent.run('Go')).toMatchObject({ response: 'I walk.', endedBy: 'answer' });
  });

  it('stream text, thinking and tool arguments to the caller of the run', async () => {
    const heard: unknown[] = [];
    const provider = scriptedProvider(
      thinks('Let me see', calls({ id: '1', name: 'Read', args: { a: 1 } })),
      says('Hi there', { deltas: ['Hi', ' there'] }),
    );
    const agent = new Agent({ provider, tools: [fakeTool('Read')] });

    await agent.run('Go', {
      onTextDelta: (delta) => heard.push(delta),
      onThinkingDelta: (delta) => heard.push({ thinking: delta }),
      onToolCallDelta: (delta) => heard.push(delta),
    });

    expect(heard).toEqual([
      { thinking: 'Let me see' },
      { id: '1', name: 'Read', argumentsDelta: '{"a":1}' },
      'Hi',
      ' there',
    ]);
    expect(agent.getHistory()[1]).toMatchObject({
      parts: [{ type: 'thinking', text: 'Let me see' }],
    });
  });

  it('fail with the error of a callback, not with a made-up provider error', async () => {
    const agent = new Agent({ provider: scriptedProvider(says('Hi'), says('Fine.')) });
    const onTextDelta = (): never => {
      throw new Error('The screen is gone');
    };

    await expect(agent.run('Go', { onTextDelta })).rejects.toThrow('The screen is gone');
    expect(agent.getHistory().map((message) => message.content)).toEqual(['Go', 'Hi']);
    expect((await agent.run('Again')).response).toBe('Fine.');
  });

  it('sum the usage of their requests', async () => {
    const usage = (inputTokens: number, outputTokens: number) => ({
      metadata: { inputTokens, outputTokens, cacheReadTokens: 5 },
    });
    const first = readOnce('1');
    const provider = scriptedProvider(
      first.kind === 'message'
        ? { ...first, message: { ...first.message, ...usage(100, 10) } }
        : first,
      says('Done.', usage(150, 20)),
    );
    const agent = new Agent({ provider, tools: [fakeTool('Read')] });

    const result = await agent.run('Go');

    expect(result.usage).toEqual({ inputTokens: 250, outputTokens: 30, cacheReadTokens: 10 });
  });
});

describe('a request over the capacity of the window', () => {
  it('is refused when nothing in it can be cut', async () => {
    const provider = scriptedProvider(says('Never said.'));
    const agent = new Agent({ provider, contextMaxTokens: 1_000 });

    const result = await agent.run('x'.repeat(5_000));

    expect(result).toEqual({
      response: '',
      interrupted: false,
      rounds: 0,
      endedBy: 'context_full',
    });
    expect(provider.requests).toEqual([]);
  });

  it('is sent with its old tool results cut when that makes it fit', async () => {
    const provider = scriptedProvider(readOnce('1'), says('Noted.'), says('Fine.'));
    const read = fakeTool('Read', () => 'y'.repeat(12_000));
    const agent = new Agent({ provider, tools: [read], contextMaxTokens: 10_000 });
    await agent.run('Read it');
    agent.injectMessage('user', 'z'.repeat(30_000));

    const result = await agent.run('And?');

    expect(result.response).toBe('Fine.');
    const sent = provider.requests[2]?.find((message) => message.role === 'tool');
    expect(sent?.content?.length).toBeLessThan(1_100);
    expect(agent.getHistory()[2]?.content?.length).toBeGreaterThan(5_000);
  });

  it('is measured by the estimator that everybody else uses', async () => {
    const agent = new Agent({ provider: scriptedProvider(says('Hello.')), systemMessage: 'S' });
    await agent.run('Hi');
    agent.injectMessage('user', 'More');
    const messages = agent.getHistory();

    expect(agent.getContextEstimate().serializedTokens).toBe(
      Math.ceil(JSON.stringify(messages).length / 4),
    );
  });
});
