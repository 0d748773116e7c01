import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { says, startModelServer } from '../support/model-server.ts';
import { createPlace, type Place, runRobota } from '../support/run-robota.ts';
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

it('sends lines that a terminal pastes without marks as one prompt', async () => {
  await using server = await startModelServer(says('Read.'));
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
  await using screen = new TerminalScreen(place, [], { env });
  await screen.shows(READY);

  screen.type('first of it\rsecond line of it\rthird line of it, which ends');
  await screen.shows(/first of it\n.*second line of it\n.*third line of it|Pasted text/);
  // A key that is no text ends the paste at once.
  screen.type(`${KEYS.up}${KEYS.enter}`);
  await screen.shows('Read.');

  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify(server.requests[0]?.messages)).toContain(
    'first of it\\nsecond line of it\\nthird line of it, which ends',
  );
});

it('an Escape in the moment a question appears ends the turn, and the call has one result', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], { rows: 40, delayMs: 80 });
  await screen.shows(READY);

  screen.type(`run \`touch made.txt\`${KEYS.enter}`);
  await screen.until(() => screen.window().includes('Run this command?'));
  screen.type(KEYS.escape);
  await screen.until(() => !screen.window().includes('Run this command?'));
  await screen.shows(READY);
  screen.type(KEYS.ctrlD);
  await screen.exited();

  expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
  const { stdout } = await runRobota(place, ['log', 'last', '--json']);
  const count = (event: string) => stdout.split(`"event":"${event}"`).length - 1;
  expect([count('tool_execution_request'), count('tool_message_committed')]).toEqual([1, 1]);
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
