import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { explainPermission, readOnlyEnvironment } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makeTypicalProject } from './typical-project.ts';

interface TypicalCommands {
  readonly looking: readonly string[];
  readonly asking: readonly string[];
}

const typical = JSON.parse(
  readFileSync(new URL('../fixtures/typical-commands.json', import.meta.url), 'utf8'),
) as TypicalCommands;

/** Harmless commands that the grammar does not support. */
const ASKS_NEEDLESSLY = [
  'wc -l $(echo src/index.ts)',
  "find src -name '*.ts' -exec wc -l {} +",
  "find . -name '*.ts' | xargs wc -l",
  'ls src | while read f; do echo $f; done',
];

/** More common commands, none of which may ask. */
const everyday = JSON.parse(
  readFileSync(new URL('../fixtures/everyday-commands.json', import.meta.url), 'utf8'),
) as readonly string[];

const cwd = makeTypicalProject();
const decide = (command: string) => explainPermission('Bash', { command }, 'default', { cwd });

describe('typical read-only commands of agents', () => {
  it('number two hundred and forty-five, of which four ask needlessly', () => {
    const needless = typical.looking.filter((command) => decide(command).decision !== 'auto');

    expect(typical.looking.length + typical.asking.length).toBe(245);
    expect(needless).toEqual(ASKS_NEEDLESSLY);
  });

  it.each(typical.asking)('ask when they run or show something else: %j', (command) => {
    expect(decide(command).decision).toBe('approve');
  });

  it('run without approval in all common forms', () => {
    const asking = everyday.filter((command) => decide(command).decision !== 'auto');

    expect([everyday.length >= 150, asking]).toEqual([true, []]);
  });

  it.each(typical.looking.filter((command) => !ASKS_NEEDLESSLY.includes(command)))(
    'give the same output as rendered text: %j',
    (command) => {
      const rendered = decide(command).run?.command ?? 'echo not rendered';

      const [of, from] = [output(rendered), output(command)];

      expect(ANY_ORDER.test(command) ? inOrder(of) : of).toEqual(
        ANY_ORDER.test(command) ? inOrder(from) : from,
      );
    },
  );
});

/** Ripgrep searches in threads: by itself it prints files in any order, and the project has fewer than 20. */
const ANY_ORDER = /^rg\b[^|]*(?:\| head -20)?$/;

function inOrder(result: ReturnType<typeof output>) {
  return { ...result, stdout: result.stdout.split('\n').sort() };
}

function output(text: string) {
  const { stdout, stderr, status } = spawnSync('/bin/bash', ['-c', text], {
    cwd,
    env: readOnlyEnvironment(process.env, [cwd]),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  });
  return { stdout, status, stderr: stderr.replaceAll(/^.*line \d+: /gm, '') };
}
