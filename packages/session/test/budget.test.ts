import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';
import { startSession } from './session-kit.ts';

const USAGE = { inputTokens: 900, outputTokens: 100 };
const work = (id: string) => {
  const reply = calls({ id, name: 'Work' });
  return reply.kind === 'message'
    ? { ...reply, message: { ...reply.message, metadata: USAGE } }
    : reply;
};

describe('a budget', () => {
  it('ends the prompt that uses it up, with a result for every call, and refuses the next one', async () => {
    const provider = scriptedProvider(work('1'), work('2'), says('Never said.'));
    const session = startSession(provider, {
      tools: [fakeTool('Work', () => 'done')],
      permissionMode: 'bypassPermissions',
      maxBudgetTokens: 2_000,
    });

    await expect(session.run('Go')).rejects.toMatchObject({
      code: 'budget',
      message: expect.stringContaining('Raise maxBudgetTokens'),
    });
    const asked = provider.requests.length;
    await expect(session.run('Again')).rejects.toMatchObject({ code: 'budget' });

    expect([asked, provider.requests.length]).toEqual([2, 2]);
    expect(session.getLastTurn()).toMatchObject({ endedBy: 'budget' });
    const results = session.getHistory().filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual(['done', 'done']);
  });

  it('does not spoil an answer that was paid for', async () => {
    const session = startSession(scriptedProvider(says('Done.', { metadata: USAGE })), {
      maxBudgetTokens: 10,
    });

    expect(await session.run('Go')).toBe('Done.');
  });

  it('counts what others used for the session', async () => {
    const session = startSession(scriptedProvider(says('Never said.')), { maxBudgetTokens: 500 });
    session.logEvent('subagent_usage', { agentId: 'a', model: 'm', usage: USAGE });

    await expect(session.run('Go')).rejects.toMatchObject({ code: 'budget' });
  });

  it('in dollars is kept by list price', async () => {
    const provider = scriptedProvider(work('1'), says('Never said.'));
    const session = startSession(provider, {
      tools: [fakeTool('Work', () => 'done')],
      permissionMode: 'bypassPermissions',
      model: 'claude-sonnet-4-5',
      maxBudgetUsd: 0.004,
    });

    await expect(session.run('Go')).rejects.toMatchObject({ code: 'budget' });
  });

  it('in dollars is refused before anything is asked where no price is known', async () => {
    const provider = scriptedProvider(says('Never said.'));
    const session = startSession(provider, { model: 'home-grown', maxBudgetUsd: 1 });

    await expect(session.run('Go')).rejects.toThrow(
      'No price is known for the model home-grown, so maxBudgetUsd cannot be kept. Set maxBudgetTokens instead.',
    );
    expect(provider.requests).toEqual([]);
  });
});
