import {
  denyRuleNotice,
  evaluatePermission,
  judgeToolCall,
  readFilter,
} from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makeProject } from './project.ts';

const { cwd } = makeProject();

describe('the judgement of a call', () => {
  it('carries rendered text when only the grammar allows the command', async () => {
    const judge = (
      command: string,
      lists: object = {},
      mode: 'default' | 'bypassPermissions' = 'default',
    ) => judgeToolCall({ toolName: 'Bash', toolArgs: { command }, mode, lists: { cwd, ...lists } });

    const looked = await judge('x=1; ls *.txt; echo "$x"');
    const mixed = await judge('npm test | head -3', { allow: ['Bash(npm test:*)'] });
    const ruled = await judge('npm test', { allow: ['Bash(npm test:*)'] });
    const bypassed = await judge('ls', {}, 'bypassPermissions');

    expect([looked, mixed, ruled, bypassed].map(({ grant }) => grant.run)).toEqual([
      { command: 'ls a.txt\necho 1', confine: true },
      { command: 'npm test | head -3', confine: false },
      undefined,
      undefined,
    ]);
  });

  it('does not run substitutions inside the words of an allowed program', () => {
    const decide = (command: string) =>
      evaluatePermission('Bash', { command }, 'default', { cwd, allow: ['Bash(echo:*)'] });

    expect([
      decide('echo $(cat a.txt)'),
      decide('echo $(npm test)'),
      decide('echo $((x))'),
      decide('echo $(( $(cat a.txt) ))'),
    ]).toEqual(['auto', 'approve', 'approve', 'approve']);
  });

  it('has no filter without rules about reading', () => {
    expect(readFilter('default', { cwd, deny: ['Bash(rm:*)'] })).toBeUndefined();
  });

  it('says which files a search may read', () => {
    const mayRead = readFilter('default', { cwd, deny: ['Read(.env)'], ask: ['Read(secrets/**)'] });

    expect(
      [`${cwd}/.env`, `${cwd}/src/.env`, `${cwd}/secrets/key.pem`, `${cwd}/a.txt`].map((file) =>
        mayRead?.(file),
      ),
    ).toEqual([false, false, false, true]);
  });
});

describe('a deny rule for commands', () => {
  it('comes with a notice about its limits', () => {
    expect([
      denyRuleNotice({ deny: ['Bash(rm:*)'] }),
      denyRuleNotice({ deny: ['Read(.env)', 'Bash'] }),
      denyRuleNotice({}),
    ]).toEqual([expect.stringContaining('sandbox: on'), undefined, undefined]);
  });
});

describe('a very deeply nested command', () => {
  it('asks instead of failing', () => {
    const command = `echo ${'$(echo '.repeat(2_000)}${')'.repeat(2_000)}`;

    expect([
      evaluatePermission('Bash', { command }, 'default', { cwd }),
      evaluatePermission('Bash', { command }, 'bypassPermissions', { cwd, deny: ['Bash(rm:*)'] }),
    ]).toEqual(['approve', 'deny']);
  });
});
