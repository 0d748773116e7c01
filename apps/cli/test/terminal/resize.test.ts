import { afterEach, beforeEach, expect, it } from 'vitest';
import { hangsAfter, startModelServer } from '../support/model-server.ts';
import { createPlace, type Place } from '../support/run-robota.ts';
import { KEYS, TerminalScreen } from '../support/terminal-screen.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const READY = 'Ask anything';
const ROWS = 30;
const before = `${Array.from({ length: 40 }, (_, line) => `earlier line ${line}`).join('\r\n')}\r\n`;

const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `word${from + index} `).join('');

/** How often each of so many words is in the terminal; rows that the window folded break them anywhere. */
function timesShown(screen: TerminalScreen, count: number): readonly number[] {
  const text = screen.text().replaceAll(/\s*\n\s*/g, '');
  return Array.from(
    { length: count },
    (_, word) => text.split(new RegExp(`word${word}(?!\\d)`)).length - 1,
  );
}

const isDrawnFor = (screen: TerminalScreen, columns: number): boolean =>
  screen.window().includes(`\n${'─'.repeat(columns)}\n❯`);

async function streaming(url: string, env: Record<string, string> = {}): Promise<TerminalScreen> {
  const screen = new TerminalScreen(place, [], {
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url, ...env },
    columns: 100,
    rows: ROWS,
    before,
  });
  await screen.shows(READY);
  screen.type(`go${KEYS.enter}`);
  return screen;
}

it('leaves no row behind where a window is narrower before the program hears of it', async () => {
  await using server = await startModelServer(hangsAfter(`First.\n\n${words(0, 40)}`));
  await using screen = await streaming(server.url);
  await screen.shows('word39');

  screen.resizeUntold(60, ROWS);
  server.goOn('word40 ');
  await screen.until(() => screen.written.includes('word40'));
  screen.resize(60, ROWS);
  await screen.until(() => isDrawnFor(screen, 60));

  expect(timesShown(screen, 41)).toEqual(Array.from({ length: 41 }, () => 1));
  expect(screen.text().match(/^─+$/gm)).toHaveLength(2);
  expect(screen.text()).toContain('First.');
  expect(screen.text().match(/^earlier line \d+$/gm)).toHaveLength(40);
});

it('keeps every word while a window is dragged to many widths in mid-stream', async () => {
  await using server = await startModelServer(hangsAfter(words(0, 40)));
  await using screen = await streaming(server.url);
  await screen.shows('word39');

  let count = 40;
  for (const columns of [90, 71, 52, 40, 33, 58, 80, 120, 64, 41, 100, 47]) {
    screen.resize(columns, ROWS - (columns % 7));
    server.goOn(words(count, count + 8), columns % 3 === 0 ? '\n\n' : '');
    count += 8;
    await screen.until(() => isDrawnFor(screen, columns));
  }
  await screen.shows(`word${count - 1}`);

  expect(timesShown(screen, count)).not.toContain(0);
  expect(screen.text().match(/Working/g)).toHaveLength(1);
  expect(screen.text().match(/^earlier line \d+$/gm)).toHaveLength(40);
});

it('erases nothing above in a terminal that cuts rows where others fold them', async () => {
  await using server = await startModelServer(hangsAfter(`First.\n\n${words(0, 40)}`));
  await using screen = await streaming(server.url, { XTERM_VERSION: 'XTerm(390)' });
  await screen.shows('word39');
  const sent = screen.written.length;

  screen.resize(60, ROWS);
  await screen.until(() => screen.written.slice(sent).includes('─'.repeat(60)));

  const [, up = ''] = /\[(\d+)A/.exec(screen.written.slice(sent)) ?? [];
  const rowsOfFrame = ['', 'words', 'words', 'words', '', 'Working', 'rule'];
  expect(Number(up)).toBe(rowsOfFrame.length);
});

it('draws the prompt whole in a window that becomes low and high again', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], { rows: ROWS, before });
  await screen.shows(READY, 'Robota 0');
  const isWhole = (prompt: string) =>
    new RegExp(`^─+\\n❯ ${prompt}\\n─+\\n {2}\\? shortcuts`, 'm').test(screen.window());

  for (const [step, rows] of [5, ROWS, 6, 12, 5, 20].entries()) {
    screen.resize(80, rows);
    screen.type('x');
    await screen.until(() => isWhole('x'.repeat(step + 1)));
  }

  expect(screen.text().match(/^earlier line \d+$/gm)).toHaveLength(40);
  await screen.until(() => screen.text().match(/Robota 0/g)?.length === 1);
});

it('takes a window of unknown size for a usual one', async () => {
  await using screen = new TerminalScreen(place, [], {
    isInShell: true,
    shellPrefix: 'stty rows 0 columns 0;',
  });

  await screen.shows(`${'─'.repeat(80)}\n❯ Ask anything`);
});
