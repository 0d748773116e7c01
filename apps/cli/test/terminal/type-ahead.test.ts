import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlace, type Place } from '../support/run-robota.ts';
import { KEYS, TerminalScreen } from '../support/terminal-screen.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const ASKED = 'Run this command?';

/** What somebody may type while they do not look. */
const keys = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('1', '2', '3', 'y', 'a', 'p', KEYS.enter) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('hello', ' ', KEYS.tab, KEYS.up, KEYS.down),
    },
  ),
  { maxLength: 8 },
);

/** Keys go out one by one until the question is on the screen, not a moment longer. */
async function typeUntilDrawn(screen: TerminalScreen, typed: readonly string[]): Promise<void> {
  for (const key of typed) {
    if (screen.window().includes(ASKED)) return;
    screen.type(key);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Says no to the question, and stops and takes away whatever else was typed. */
async function settle(screen: TerminalScreen): Promise<void> {
  for (;;) {
    const text = screen.window();
    if (text.includes('Ask anything')) return;
    screen.type(/· esc (?:stops|says no)/.test(text) ? KEYS.escape : BACKSPACES);
    await screen.until(() => screen.window() !== text);
  }
}

const BACKSPACES = '\u007f'.repeat(80);

it('no question is ever answered by keys sent before it was drawn', async () => {
  let round = 0;
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], { rows: 40 });
  await screen.shows('Ask anything');

  await fc.assert(
    fc.asyncProperty(keys, keys, async (ahead, meanwhile) => {
      round += 1;
      const file = `made-${round}.txt`;
      screen.type(`run \`touch ${file}\`${KEYS.enter}${ahead.join('')}`);
      await typeUntilDrawn(screen, meanwhile);
      await screen.until(() => screen.window().includes(ASKED));
      await screen.until(() => /tab answers|then enter/.test(screen.window()));

      expect(existsSync(join(place.project, file))).toBe(false);
      expect(existsSync(join(place.project, '.robota'))).toBe(false);
      expect(screen.text()).not.toContain('Allowed');
      await settle(screen);
    }),
    { numRuns: 12 },
  );
}, 120_000);

it('an answer typed after the question was drawn counts', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], { rows: 40 });
  await screen.shows('Ask anything');

  screen.type(`run \`touch made.txt\`${KEYS.enter}y`);
  await screen.shows(ASKED, 'tab answers');
  screen.type(KEYS.tab);
  await screen.shows('then enter');
  screen.type(KEYS.enter);
  await screen.shows('● Bash touch made.txt');

  expect(existsSync(join(place.project, 'made.txt'))).toBe(true);
  expect(screen.window()).toContain('❯ y');
});
