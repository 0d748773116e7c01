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
  const logs = join(place.home, '.robota/logs');
  const [name = ''] = readdirSync(logs).filter((file) => file.endsWith('.jsonl'));
  const log = readFileSync(join(logs, name), 'utf8');
  expect(log).toContain('"status":"interrupted"');
  expect(log.trimEnd().split('\n').at(-1)).toContain('session_shutdown');
  expect(readdirSync(join(place.home, '.robota/sessions')).join()).not.toContain('.lock');
});
