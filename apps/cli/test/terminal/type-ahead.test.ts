import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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
/** What somebody may type while they do not look: mostly what would answer a question. */
const typed = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('1', '2', '3', KEYS.enter) },
    { weight: 1, arbitrary: fc.constantFrom('y', 'a', 'hello', ' ', KEYS.tab, KEYS.up, KEYS.down) },
  ),
  { minLength: 1, maxLength: 10 },
);

/** Types at a person's best speed, over and over, until the question is before their eyes. */
async function typeUntilDrawn(screen: TerminalScreen, keys: readonly string[]): Promise<void> {
  for (let next = 0; !screen.window().includes(ASKED); next++) {
    screen.type(keys[next % keys.length] ?? '');
    await setTimeout(10);
  }
}

it('no question is ever answered by keys sent before it was drawn', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(typed, async (keys) => {
      round += 1;
      const file = `made-${round}.txt`;
      // A terminal of its own: whatever was typed in an earlier round is gone.
      await using screen = new TerminalScreen(place, ['--provider', 'demo'], {
        rows: 40,
        delayMs: 80,
      });
      await screen.shows('Ask anything');
      screen.type(`run \`touch ${file}\`${KEYS.enter}`);
      await typeUntilDrawn(screen, keys);
      // Somebody was typing, so it waits for Tab.
      await screen.until(() => screen.window().includes('tab answers'));

      expect(existsSync(join(place.project, file))).toBe(false);
      expect(existsSync(join(place.project, '.robota'))).toBe(false);
      expect(screen.text()).not.toMatch(new RegExp(`Allowed|Bash touch ${file}.*denied`));
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
  await screen.shows('● Bash touch made.txt', '❯ y');

  expect(existsSync(join(place.project, 'made.txt'))).toBe(true);
});
