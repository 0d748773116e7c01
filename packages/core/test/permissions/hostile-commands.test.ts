import { evaluatePermission } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import {
  ASKING_COMMANDS,
  DENIED_COMMANDS,
  LOOKING_COMMANDS,
  UNKNOWABLE_COMMANDS,
} from './corpus.ts';
import { makeProject } from './project.ts';

const { cwd } = makeProject();
const deny = ['Bash(rm *)', 'Bash(git push:*)'];

function decide(
  command: string,
  mode: 'plan' | 'default' | 'acceptEdits' | 'bypassPermissions',
  allow: string[] = [],
) {
  return evaluatePermission('Bash', { command }, mode, { cwd, deny, allow });
}

describe('a denied command', () => {
  it.each(DENIED_COMMANDS)('is denied however it is written: %j', (command) => {
    expect([
      decide(command, 'default'),
      decide(command, 'bypassPermissions'),
      decide(command, 'default', ['Bash']),
    ]).toEqual(['deny', 'deny', 'deny']);
  });

  it.each(UNKNOWABLE_COMMANDS)(
    'never runs without approval when its effect is known only at run time: %j',
    (command) => {
      expect([
        decide(command, 'default', ['Bash']),
        decide(command, 'bypassPermissions'),
        decide(command, 'plan'),
      ]).toEqual(['approve', 'deny', 'deny']);
    },
  );
});

describe('without a rule', () => {
  it.each(LOOKING_COMMANDS)('a read-only command runs: %j', (command) => {
    expect(evaluatePermission('Bash', { command }, 'default', { cwd })).toBe('auto');
  });

  it.each(ASKING_COMMANDS)('a command with an effect asks: %j', (command) => {
    expect(evaluatePermission('Bash', { command }, 'default', { cwd })).toBe('approve');
  });
});
