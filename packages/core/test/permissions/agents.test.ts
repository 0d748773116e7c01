import { evaluatePermission } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

const decide = (args: Record<string, unknown>, lists: object) =>
  evaluatePermission('Agent', args, 'bypassPermissions', lists);

describe('agent rules', () => {
  it.each([
    [{ subagent_type: 'Explore', prompt: 'x' }],
    [{ subagentType: 'Explore', prompt: 'x' }],
    [{ jobs: [{ subagent_type: 'Explore', prompt: 'x' }] }],
    [{ jobs: [{ subagentType: 'Explore', prompt: 'x' }] }],
    [{ jobs: [{ subagent_type: 'reviewer' }, { subagent_type: 'Explore' }] }],
    [{ subagentType: 'reviewer', subagent_type: 'Explore', prompt: 'x' }],
    [{ subagentType: 'Explore', subagent_type: 'reviewer', prompt: 'x' }],
    [{ subagent_type: 'reviewer', prompt: 'x', jobs: [{ subagent_type: 'Explore' }] }],
  ])('deny an agent in every form of the call: %j', (args) => {
    expect(decide(args, { deny: ['Agent(Explore)'] })).toBe('deny');
  });

  it.each([[{ prompt: 'x' }], [{ jobs: [{ prompt: 'x' }] }], [{ subagent_type: '', prompt: 'x' }]])(
    'apply to the general agent when none is named: %j',
    (args) => {
      expect([
        decide(args, { deny: ['Agent(general-purpose)'] }),
        decide(args, { deny: ['Agent(Explore)'] }),
      ]).toEqual(['deny', 'auto']);
    },
  );

  it('allow a call only when they cover every agent in it', () => {
    const allow = ['Agent(reviewer)'];
    const one = { jobs: [{ subagent_type: 'reviewer' }] };
    const two = { jobs: [{ subagent_type: 'reviewer' }, { subagent_type: 'writer' }] };

    expect([
      evaluatePermission('Agent', one, 'default', { allow }),
      evaluatePermission('Agent', two, 'default', { allow }),
    ]).toEqual(['auto', 'approve']);
  });
});
