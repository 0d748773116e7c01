import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlace, type Place, runRobota, startRobota } from './support/run-robota.ts';

let place: Place;

beforeEach(async () => {
  place = createPlace();
  await runRobota(place, ['-p', 'list files', '--provider', 'demo', '--session-id', 'one']);
});

afterEach(() => {
  place[Symbol.dispose]();
});

function entries(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

it('prints every entry whole, one a line, with --json', async () => {
  const { code, stdout } = await runRobota(place, ['log', 'one', '--json']);

  const printed = entries(stdout);
  expect(code).toBe(0);
  expect(printed[0]).toMatchObject({ n: 1, event: 'session_init', sessionId: 'one' });
  expect(printed[0]?.toolSchemas).toBeInstanceOf(Array);
  expect(printed.find(({ event }) => event === 'prompt')).toMatchObject({ display: 'list files' });
  expect(printed.at(-1)).toMatchObject({ event: 'session_shutdown' });
});

it('prints a line for people without it, and cuts what is long', async () => {
  const { stdout } = await runRobota(place, ['log', 'one']);

  expect(stdout).toMatch(/^ +\d+ {2}\d\d:\d\d:\d\d\.\d{3} {2}prompt {2}display=list files/m);
  expect(stdout).toMatch(/… \(\d+ characters\)/);
});

it('tells what another process writes, until it is interrupted', async () => {
  const following = startRobota(place, ['log', 'one', '--follow', '--json']);
  const lines = createInterface({ input: following.stdout });
  const seen: Record<string, unknown>[] = [];
  const heard = (text: string) =>
    new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        const entry = JSON.parse(line);
        seen.push(entry);
        if (entry.event === 'prompt' && entry.display === text) resolve();
      });
    });
  const first = heard('list files');
  const second = heard('and again');
  await first;

  await runRobota(place, ['-p', 'and again', '--provider', 'demo', '-r', 'one']);
  await second;
  following.kill('SIGINT');
  const [code] = await once(following, 'exit');

  expect(code).toBe(130);
});

it.each([
  [['log'], 2, 'Usage: robota log'],
  [['log', 'nobody'], 1, 'Session not found: nobody'],
])('ends %j with code %i', async (args, code, words) => {
  const result = await runRobota(place, args);

  expect(result.code).toBe(code);
  expect(result.stderr).toContain(words);
});
