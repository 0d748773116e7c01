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

/** What comes of a command under bypassPermissions: it is denied, or what its running did. */
function attempt(command: string): string {
  if (decide(command) === 'deny') return 'denied';
  const effect = box.effectOf(command);
  if (effect !== 'no effect') box.write('victim', 'still here\n');
  return effect;
}

describe('a denied command under bypassPermissions', () => {
  it.each(holes.denied)('is denied in a form that once ran: %j', (command) => {
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

  it('does not keep ordinary work from being done', () => {
    const all = [...typical.looking, ...typical.asking, ...working];

    const refused = all.filter((command) => decide(command) !== 'auto');

    expect([all.length, refused]).toEqual([305, REFUSED]);
  });
});

/** Ordinary commands that evaluate a name, which may hold a command. */
const REFUSED: readonly string[] = [
  'count=$(ls | wc -l); echo $((count + 1))',
  'for ((i=0; i<3; i++)); do echo $i; done',
  '[[ $count -gt 3 ]] && echo many',
];
