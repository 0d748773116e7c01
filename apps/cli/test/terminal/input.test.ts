import { afterEach, beforeEach, expect, it } from 'vitest';
import { says, startModelServer } from '../support/model-server.ts';
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
const ESC = '\u001b';

it('keeps what a terminal reports by itself out of the prompt', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo']);
  await screen.shows(READY);

  screen.type(`one ${ESC}[?64;1;2c`);
  screen.type(`two ${ESC}[<35;10;5M${ESC}[I`);
  screen.type(`three ${ESC}P>|XTerm(390)${ESC}\\${ESC}]10;rgb:00/00/00\u0007${ESC}[12;40R`);
  screen.type('four');
  await screen.shows(/❯ .*four/);

  expect(screen.text()).toContain('❯ one two three four\n');
});

it('sends a long paste as it was, without its control sequences', async () => {
  await using server = await startModelServer(says('Read.'));
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
  await using screen = new TerminalScreen(place, [], { env });
  await screen.shows(READY);
  const lines = Array.from({ length: 5_000 }, (_, line) => `line ${line} of what was copied`);

  screen.paste(`${ESC}[31m${lines.join('\r')}${ESC}[0m${ESC}[0n`);
  await screen.shows('[Pasted text #1 +5000 lines]');
  screen.type(KEYS.enter);
  await screen.shows('Read.');

  expect(JSON.stringify(server.requests[0]?.messages)).toContain(
    JSON.stringify(lines.join('\n')).slice(1, -1),
  );
});

it('leaves no reply of the terminal to the shell when it ends at once', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], {
    isInShell: true,
    delayMs: 60,
  });
  await screen.shows(READY);

  screen.type(KEYS.ctrlD);
  await screen.until(() => !screen.window().includes(READY));
  screen.type(`echo shell $((40 + 2))${KEYS.enter}`);
  await screen.shows('shell 42');

  expect(screen.text()).not.toMatch(/rgb:|\[0n/);
});

it('sends nothing that is typed while it ends', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], { delayMs: 60 });
  await screen.shows(READY);

  screen.type(`${KEYS.ctrlD}typed for the shell${KEYS.enter}`);
  await screen.exited();

  expect(screen.written).not.toMatch(/typed for the shell|Thought|Resume this session/);
});

it('says what to do instead in a terminal that cannot move its cursor', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], { env: { TERM: 'dumb' } });

  expect(await screen.exited()).toBe(1);
  expect(screen.text()).toContain('TERM=dumb');
  expect(screen.written).not.toContain(ESC);
});
