import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askedPrompts } from '../../src/host/asked-prompts.ts';

function logOf(entries: readonly object[], end = '\n'): string {
  const folder = mkdtempSync(join(tmpdir(), 'robota-asked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'log.jsonl');
  appendFileSync(file, entries.map((entry) => JSON.stringify(entry)).join('\n') + end);
  return file;
}

/** A prompt that is announced and said. */
function prompt(n: number, messageId: string, t = 1_000_000) {
  return [
    { n, t, event: 'prompt', display: 'x', messageId },
    { n: n + 1, t, event: 'user', content: 'x' },
  ];
}

it('finds the prompts that stand in a log, over the borders of what is read at once', async () => {
  const large = { n: 2, t: 1_000_000, event: 'notice', message: 'ü'.repeat(100_000) };
  const file = logOf([...prompt(1, 'a'), large, ...prompt(3, 'b'), { ...large, n: 5 }]);

  const found = await askedPrompts(file, { ids: new Set(['a', 'b', 'c']) });

  expect([...found].sort()).toEqual(['a', 'b']);
});

it('does not take words of a prompt for its id, nor a line that was cut off for a prompt', async () => {
  const said = { n: 1, t: 1, event: 'notice', message: '"messageId":"a"' };
  const file = logOf([said], '\n{"n":2,"t":2,"event":"prompt","display":"x","messageId":"a');

  expect(await askedPrompts(file, { ids: new Set(['a']) })).toEqual(new Set());
});

it('leaves out a prompt that was announced and never said', async () => {
  const [announced] = prompt(3, 'b');
  const file = logOf([...prompt(1, 'a'), ...(announced ? [announced] : [])]);

  expect(await askedPrompts(file, { ids: new Set(['a', 'b']) })).toEqual(new Set(['a']));
});

it('reads no further back than the prompts have waited', async () => {
  const file = logOf([
    ...prompt(1, 'a', 1_000),
    ...prompt(3, 'b', 500_000),
    ...prompt(5, 'c', 600_000),
  ]);

  const found = await askedPrompts(file, { ids: new Set(['a', 'b']), since: 500_000 });

  expect(found).toEqual(new Set(['b']));
});

it('finds nothing where there is no log', async () => {
  expect(await askedPrompts('/nowhere/log.jsonl', { ids: new Set(['a']) })).toEqual(new Set());
});
