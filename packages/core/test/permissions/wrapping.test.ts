import { evaluatePermission } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DENIED_COMMANDS } from './corpus.ts';

/** Shell syntax around a command; each still runs it, or makes it unreadable. */
const WRAPPINGS: readonly ((command: string) => string)[] = [
  (command) => `(${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `ls; ${command}`,
  (command) => `ls && ${command}`,
  (command) => `false || ${command}`,
  (command) => `ls | ${command}`,
  (command) => `ls &\n${command}`,
  (command) => `if true; then\n${command}\nfi`,
  (command) => `for x in a b; do\n${command}\ndone`,
  (command) => `while true; do\n${command}\ndone`,
  (command) => `case a in a)\n${command}\n;; esac`,
  (command) => `f() {\n${command}\n}; f`,
  (command) => `cat <(${command}\n)`,
  (command) => `x=$(${command}\n)`,
  (command) => `bash -c ${quote(command)}`,
  (command) => `sh -ec ${quote(command)}`,
  (command) => `eval ${quote(command)}`,
  (command) => `sudo sh -c ${quote(command)}`,
  (command) => `timeout 9 bash -c ${quote(command)}`,
  (command) => `env A=1 bash -c ${quote(command)}`,
  (command) => `xargs -I% bash -c ${quote(command)}`,
  (command) => `find . -exec sh -c ${quote(command)} \\;`,
  (command) => `echo ok # ${command.replaceAll('\n', ' ')}\n${command}`,
  (command) => `cat <<END\n$(${command}\n)\nEND`,
  (command) => `  \t${command}`,
  (command) => `${command}\n\nls`,
];

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const wrapped = fc
  .tuple(
    fc.constantFrom(...DENIED_COMMANDS),
    fc.array(fc.constantFrom(...WRAPPINGS), { maxLength: 4 }),
  )
  .map(([command, wrappings]) => wrappings.reduce((text, wrap) => wrap(text), command));

describe('shell syntax around a denied command', () => {
  it('never makes it run without approval, whatever else is allowed', () => {
    const lists = {
      cwd: '/',
      deny: ['Bash(rm *)', 'Bash(git push:*)'],
      allow: ['Bash', 'Bash(ls *)', 'Edit'],
    };

    fc.assert(
      fc.property(
        wrapped,
        fc.constantFrom('default' as const, 'acceptEdits' as const, 'bypassPermissions' as const),
        (command, mode) => {
          expect(evaluatePermission('Bash', { command }, mode, lists)).not.toBe('auto');
        },
      ),
      { numRuns: Number(process.env.ROBOTA_PROPERTY_RUNS ?? 1000) },
    );
  });

  it('ignores a word that only looks like the command', () => {
    const harmless = [
      'echo rm victim',
      "grep 'rm ' a.txt",
      'ls rm',
      "printf '%s' 'git push'",
      'git log --grep=push',
    ];

    const decisions = harmless.map((command) =>
      evaluatePermission('Bash', { command }, 'default', {
        cwd: '/',
        deny: ['Bash(rm *)', 'Bash(git push:*)'],
      }),
    );

    expect(decisions).toEqual(harmless.map(() => 'auto'));
  });
});
