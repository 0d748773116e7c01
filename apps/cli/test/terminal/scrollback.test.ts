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
const before = `${Array.from({ length: 60 }, (_, line) => `earlier line ${line}`).join('\r\n')}\r\n`;

const demo = (args: readonly string[] = []) =>
  new TerminalScreen(place, ['--provider', 'demo', ...args], { before, rows: 20 });

/** Every line that stood in the terminal, in its order. */
function expectEarlierLines(screen: TerminalScreen): void {
  const kept = screen.text().match(/^earlier line \d+$/gm);
  expect(kept).toEqual(Array.from({ length: 60 }, (_, line) => `earlier line ${line}`));
}

it('keeps what stood in the terminal through start, ctrl+l, ctrl+o, resize, /clear and the end', async () => {
  await using screen = demo();
  await screen.shows(READY);
  screen.type(`list files${KEYS.enter}`);
  await screen.shows(/Glob is done|no matches/, READY);

  screen.type(KEYS.ctrlL);
  await screen.until(
    () => !screen.window().includes('earlier line') && screen.window().includes(READY),
  );
  expectEarlierLines(screen);
  screen.type(KEYS.ctrlO);
  await screen.shows('esc closes');
  screen.type('q');
  await screen.until(() => !screen.text().includes('esc closes'));
  expectEarlierLines(screen);
  screen.resize(70, 18);
  await screen.until(() => screen.window().includes(`\n${'─'.repeat(70)}\n❯`));
  screen.type(`/clear${KEYS.enter}`);
  await screen.shows('The session before: robota -r');
  expectEarlierLines(screen);
  screen.type(KEYS.ctrlD);
  await screen.exited();

  expectEarlierLines(screen);
  expect(screen.text()).toContain('❯ list files');
  expect(screen.written.split('\u001b').filter((code) => /^\[[23]J/.test(code))).toEqual([]);
});

it('gives the shell a fresh line and says how to come back', async () => {
  await using screen = demo(['--name', 'my talk']);
  await screen.shows(READY);
  screen.type(`list files${KEYS.enter}`);
  await screen.shows(/Glob is done|no matches/, READY);
  screen.type(KEYS.ctrlD);
  await screen.exited();

  await screen.shows("Resume this session: robota -r 'my talk'");
  const lines = screen.text().split('\n');
  expect(lines.at(-1)).toBe("Resume this session: robota -r 'my talk'");
  expect(screen.cursor().x).toBe(0);
  expect(screen.text()).not.toContain('─'.repeat(80));
});

it('says nothing about coming back where nothing was said or kept', async () => {
  await using unused = demo();
  await unused.shows(READY);
  unused.type(KEYS.ctrlD);
  await unused.exited();
  await using unkept = demo(['--no-session-persistence']);
  await unkept.shows(READY);
  unkept.type(`list files${KEYS.enter}`);
  await unkept.shows(/Glob is done|no matches/, READY);
  unkept.type(KEYS.ctrlD);
  await unkept.exited();

  expect([unused.text(), unkept.text()].join('\n')).not.toContain('Resume this session');
});

it('begins a new session with /clear and keeps the old one whole', async () => {
  await using server = await startModelServer(says('First answer'), says('Second answer'));
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
  await using screen = new TerminalScreen(place, [], { env });
  await screen.shows(READY);
  screen.type(`one${KEYS.enter}`);
  await screen.shows('First answer', READY);

  screen.type(`/clear${KEYS.enter}`);
  await screen.shows('The session before: robota -r');
  const old = /The session before: robota -r (\S+)/.exec(screen.text())?.[1] ?? '';
  screen.type(`two${KEYS.enter}`);
  await screen.shows('Second answer');
  await using resumed = new TerminalScreen(place, ['-r', old], { env });
  await resumed.shows('❯ one', 'First answer');

  expect(JSON.stringify(server.requests[1]?.messages)).not.toContain('one');
});

it('shows the whole of a long conversation at once, and what was said meanwhile afterwards', async () => {
  const long = Array.from({ length: 400 }, (_, line) => `Paragraph ${line}.`).join('\n\n');
  await using server = await startModelServer(says(long));
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
  await using screen = new TerminalScreen(place, [], { env });
  await screen.shows(READY);
  screen.type(`go${KEYS.enter}`);
  await screen.shows('Paragraph 399.', READY);

  screen.type(KEYS.ctrlO);
  await screen.shows('esc closes');
  screen.type('g');
  await screen.until(() => screen.window().startsWith('\n❯ go'));
  screen.type('G');
  await screen.until(() => screen.window().includes('Paragraph 399.'));
  screen.type(KEYS.escape);
  await screen.shows(READY);

  expect(screen.text().match(/Paragraph 200\./g)).toHaveLength(1);
});
