import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callsTool, says, startModelServer } from '../support/model-server.ts';
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
const CTRL_Z = '\u001a';

function sessionLog(): string {
  const logs = join(place.home, '.robota/logs');
  const [name = ''] = readdirSync(logs).filter((file) => file.endsWith('.jsonl'));
  return readFileSync(join(logs, name), 'utf8');
}

it('gives the shell its place with ctrl+z, and goes on with fg where it was', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], {
    isInShell: true,
    rows: 40,
  });
  await screen.shows(READY);
  screen.type('half a prompt');
  await screen.shows('❯ half a prompt');

  screen.type(CTRL_Z);
  await screen.shows(/Stopped/);
  screen.type(`echo in the $((40 + 2))nd shell${KEYS.enter}`);
  await screen.shows('in the 42nd shell');
  screen.type(`fg${KEYS.enter}`);
  await screen.until(() => /❯ half a prompt\n─/.test(screen.window()));

  screen.type(KEYS.ctrlC);
  await screen.shows(READY);
  screen.type(KEYS.ctrlD);
  await screen.until(() => !screen.window().includes(READY));
  expect(screen.text()).toContain('in the 42nd shell');
});

it('is drawn anew after it was stopped without warning, and takes keys again', async () => {
  const shellPrefix = `bash -c 'echo $$ > pid; exec "$@"' stopped`;
  const options = { isInShell: true, shellPrefix, rows: 40 };
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], options);
  // Nothing is on its way any more that would be drawn before the program hears that it goes on.
  await screen.shows(READY, 'demo · ask first');
  screen.type('half a prompt');
  await screen.shows('❯ half a prompt');

  process.kill(Number(readFileSync(join(place.project, 'pid'), 'utf8')), 'SIGSTOP');
  await screen.shows(/Stopped/);
  screen.type(`echo in the $((40 + 2))nd shell${KEYS.enter}`);
  await screen.shows('in the 42nd shell');
  screen.type(`fg${KEYS.enter}`);
  await screen.until(() => /42nd shell[\s\S]*❯ half a prompt\n─/.test(screen.window()));
  screen.type(' and more');

  await screen.until(() => /❯ half a prompt and more\n─/.test(screen.window()));
});

it('ends a session whose window is closed as if it had been left, and leaves nothing running', async () => {
  const command = 'echo $$ > pid; sleep 60';
  await using server = await startModelServer(callsTool('t1', 'Bash', { command }), says('Done.'));
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
  await using screen = new TerminalScreen(place, ['--allowedTools', 'Bash'], { env });
  await screen.shows(READY);
  screen.type(`go${KEYS.enter}`);
  const pidFile = join(place.project, 'pid');
  const isStarted = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '';
  await expect.poll(isStarted, { timeout: 10_000 }).toBe(true);

  screen.kill('SIGHUP');
  await screen.exited();

  const running = Number(readFileSync(pidFile, 'utf8'));
  expect(() => process.kill(running, 0)).toThrow(/ESRCH/);
  const log = sessionLog();
  expect(log).toContain('"status":"interrupted"');
  expect(log.trimEnd().split('\n').at(-1)).toContain('session_shutdown');
  expect(readdirSync(join(place.home, '.robota/sessions')).join()).not.toContain('.lock');
});

it('ends when its terminal is gone, also where no signal tells it', async () => {
  await using screen = new TerminalScreen(place, ['--provider', 'demo'], {
    isInShell: true,
    shellPrefix: 'setsid -w',
    rows: 40,
  });
  await screen.shows(READY);
  screen.type(`list files${KEYS.enter}`);
  await screen.shows(/Glob is done|no matches/, READY);

  screen.disconnect();

  const lastEntry = () => sessionLog().trimEnd().split('\n').at(-1);
  await expect.poll(lastEntry, { timeout: 10_000 }).toContain('session_shutdown');
  const locks = () => readdirSync(join(place.home, '.robota/sessions')).join();
  await expect.poll(locks).not.toContain('.lock');
});
