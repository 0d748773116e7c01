import { appendFileSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  claudeLines,
  claudePath,
  writeLines,
} from '../../../packages/archive/test/generated-home.ts';
import { createPlace, finished, type Place, startRobota } from './support/run-robota.ts';
import { KEYS, TerminalScreen } from './support/terminal-screen.ts';

const ID = '11111111-2222-4333-8444-555555555555';
let place: Place;

beforeEach(() => {
  place = createPlace();
  writeLines(
    claudePath(place.home, ID),
    linesOf([{ id: 'hay', prompt: 'the haystack', answer: 'here' }]),
  );
});

afterEach(() => {
  place[Symbol.dispose]();
});

type Turn = Parameters<typeof claudeLines>[0][number];

function linesOf(turns: readonly Turn[]) {
  return claudeLines(turns, { sessionId: ID, cwd: place.project });
}

/** Writes on, as the program would. */
function say(...turns: readonly Turn[]): void {
  const before = readFileSync(claudePath(place.home, ID), 'utf8').trim().split('\n').length;
  const all = linesOf([{ id: 'hay', prompt: 'the haystack', answer: 'here' }, ...turns]);
  const added = all.slice(before).map((line) => `${JSON.stringify(line)}\n`);
  appendFileSync(claudePath(place.home, ID), added.join(''));
}

it('shows a session of another agent while it is written, and asks nothing of it', async () => {
  await using screen = new TerminalScreen(place, ['sessions', 'follow', ID], { columns: 120 });
  await screen.shows('❯ the haystack', 'here', 'Following Claude Code session');

  say({ id: 'two', prompt: 'and the needle?', answer: 'gone' });
  await screen.shows('❯ and the needle?', 'gone');
  screen.type(`please${KEYS.enter}`);
  await screen.shows('read-only here');
  screen.type(`\u0015${KEYS.ctrlD}`);

  expect(await screen.exited()).toBe(0);
});

it('prints it where there is no terminal, until a signal', async () => {
  const child = startRobota(place, ['sessions', 'follow', ID]);
  const ended = finished(child);
  let heard = '';
  const hears = (text: string) =>
    new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        heard += String(chunk);
        if (heard.includes(text)) resolve();
      });
    });
  await hears('the haystack');
  const more = hears('gone');
  say({ id: 'two', prompt: 'and the needle?', answer: 'gone' });
  await more;
  child.kill('SIGINT');

  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(stdout.match(/the haystack/g)).toHaveLength(1);
});
