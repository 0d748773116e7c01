import { readFileSync } from 'node:fs';
import { evaluatePermission } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { Box } from '../read-only/box.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
const holes = read('permission-holes') as {
  readonly denied: readonly string[];
  readonly interpreters: readonly string[];
};
const typical = read('typical-commands') as {
  readonly looking: readonly string[];
  readonly asking: readonly string[];
};
const working = read('working-commands') as readonly string[];

/** Ways to run `rm victim` where `Bash(rm:*)` is denied. */
const EVASIONS = read('evasions') as readonly string[];

const box = new Box();
box.write('victim', 'still here\n');
const lists = { cwd: box.project, deny: ['Bash(rm:*)'] };
const decide = (command: string) =>
  evaluatePermission('Bash', { command }, 'bypassPermissions', lists);

/** The outcome of a command under bypassPermissions: it is denied, or the effect of running it. */
function attempt(command: string): string {
  if (decide(command) === 'deny') return 'denied';
  const effect = box.effectOf(command);
  if (effect !== 'no effect') box.write('victim', 'still here\n');
  return effect;
}

describe('a denied command under bypassPermissions', () => {
  it.each(holes.denied)('is denied in a form that used to run: %j', (command) => {
    expect(attempt(command)).toBe('denied');
  });

  it.each(EVASIONS)('does not run as %j', (command) => {
    expect(['denied', 'no effect']).toContain(attempt(command));
  });

  it.each(holes.interpreters)(
    'is out of reach inside an interpreter or a script: %j',
    (command) => {
      expect(decide(command)).toBe('auto');
    },
  );

  it('does not block ordinary commands', () => {
    const all = [...typical.looking, ...typical.asking, ...working];

    const refused = all.filter((command) => decide(command) !== 'auto');

    expect([all.length, refused]).toEqual([305, REFUSED]);
  });
});

describe('programs that may start others', () => {
  it.each([
    'git clone https://example.org/x.git y',
    'git clone --depth 1 https://example.org/x.git',
    'git push -u origin main',
    'git fetch --update-shallow origin',
    'git config user.name "R. M."',
    'git config core.hooksPath .husky',
    'git config --get remote.origin.url',
    'git config core.editor "code --wait"',
    "git rebase --exec 'npm test' main",
    'git log --oneline --extended-regexp --grep x',
    'git ls-files --exclude-standard -o',
    'env NODE_ENV=test npm test',
    'env PYTHONPATH=. pytest',
    'PYTHONPATH=. pytest && NODE_OPTIONS=--max-old-space-size=4096 npm run build',
    'export EDITOR=vim',
    'export PATH_PREFIX=x',
    'read -r line < a.txt',
    'install -m 755 a.txt lib/a',
    'tar czf x.tgz src',
    'zip -r x.zip src',
    'vim.basic --version',
    'conda run -n base python x.py',
    'ip addr show',
  ])('run when they start nothing that is denied: %j', (command) => {
    expect(decide(command)).toBe('auto');
  });
});

/** Ordinary commands that evaluate a name, which may hold a command. */
const REFUSED: readonly string[] = [
  'count=$(ls | wc -l); echo $((count + 1))',
  'for ((i=0; i<3; i++)); do echo $i; done',
  '[[ $count -gt 3 ]] && echo many',
];
