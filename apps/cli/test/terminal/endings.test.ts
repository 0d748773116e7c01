import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  answersStatus,
  callsTool,
  hangsAfter,
  says,
  saysAndCalls,
  startModelServer,
  stopsFor,
} from '../support/model-server.ts';
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

async function open(url: string, args: readonly string[] = []): Promise<TerminalScreen> {
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url };
  const screen = new TerminalScreen(place, args, { env, rows: 40 });
  await screen.shows(READY);
  return screen;
}

it.each([
  ['cut off', stopsFor('max_tokens', 'Half of it'), 'The answer was cut off'],
  ['declined', stopsFor('refusal', 'I will not'), 'The model declined to answer'],
  ['empty', stopsFor('end_turn', ''), 'The model ended without an answer'],
])('says that an answer was %s', async (_, reply, notice) => {
  await using server = await startModelServer(reply);
  await using screen = await open(server.url);

  screen.type(`go${KEYS.enter}`);

  await screen.shows(notice, READY);
  expect(screen.text()).not.toMatch(/without saying anything/);
});

it('says that a hook stopped the run, and why', async () => {
  const hook = {
    type: 'command',
    command: `echo '{"continue":false,"stopReason":"enough of it"}'`,
  };
  mkdirSync(join(place.home, '.robota'), { recursive: true });
  writeFileSync(
    join(place.home, '.robota', 'settings.json'),
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: '', hooks: [hook] }] } }),
  );
  await using server = await startModelServer(saysAndCalls('I look.', 'Glob', { pattern: '*' }));
  await using screen = await open(server.url);

  screen.type(`go${KEYS.enter}`);

  await screen.shows('I look.', '✗ Stopped by hook: enough of it', READY);
  expect(screen.text()).not.toContain('nterrupted');
});

it('shows a request that is sent again in the line of what runs, and prints nothing of it', async () => {
  const overloaded = answersStatus(529, 'overloaded_error', 'Overloaded');
  await using server = await startModelServer(overloaded, overloaded, says('At last.'));
  await using screen = await open(server.url);

  screen.type(`go${KEYS.enter}`);
  await screen.shows(/✻ Asking again \d+ s · attempt 2 · esc stops · Anthropic is overloaded/);
  await screen.shows('At last.', READY);

  expect(screen.text()).not.toContain('overloaded');
  screen.type(KEYS.ctrlO);
  await screen.shows('The model is asked again (attempt 1)');
});

it('says a failure once, in one line, with what to do about it', async () => {
  await using server = await startModelServer(
    answersStatus(401, 'authentication_error', 'invalid x-api-key'),
  );
  await using screen = await open(server.url);

  screen.type(`go${KEYS.enter}`);
  await screen.shows('✗', 'ANTHROPIC_API_KEY. · robota config shows', READY);

  expect(screen.text().match(/✗/g)).toHaveLength(1);
  expect(screen.text()).not.toContain('{"');
});

it('says to add credit, not to wait, where the account is spent', async () => {
  await using server = await startModelServer(
    answersStatus(400, 'invalid_request_error', 'Your credit balance is too low.'),
  );
  await using screen = await open(server.url);

  screen.type(`go${KEYS.enter}`);
  await screen.shows(
    '✗ Anthropic has no credit left for this key (400)',
    '· add credit, or',
    READY,
  );

  expect(screen.text()).not.toContain('wait a moment');
});

it('shows what a command prints while it runs', async () => {
  await using server = await startModelServer(
    callsTool('t1', 'Bash', { command: 'seq 1 40; until [ -e gate ]; do sleep 0.05; done' }),
    says('Done.'),
  );
  await using screen = await open(server.url, ['--allowed-tools', 'Bash']);

  screen.type(`go${KEYS.enter}`);
  await screen.shows('37 lines above · ctrl+o', '│ 38', '│ 40', '◐ Bash seq 1 40');
  writeFileSync(join(place.project, 'gate'), '');

  await screen.shows('● Bash seq 1 40', '37 more lines · ctrl+o', 'Done.');
});

it('says that it compacts, and a prompt given meanwhile waits', async () => {
  await using server = await startModelServer(
    says('First answer'),
    hangsAfter('A summ'),
    says('x'),
  );
  await using screen = await open(server.url);
  screen.type(`one${KEYS.enter}`);
  await screen.shows('First answer', READY);

  screen.type(`/compact${KEYS.enter}`);
  await screen.shows('✻ Compacting');
  screen.type(`two${KEYS.enter}`);
  await screen.shows('next two');
  screen.type(KEYS.escape);

  await screen.until(() => !screen.window().includes('Compacting'));
  await screen.shows('Stopped.', /^❯ two$/m);
});

it('keeps what commands say in the transcript', async () => {
  await using server = await startModelServer(says('First answer'));
  await using screen = await open(server.url);

  screen.type(`/context${KEYS.enter}`);
  await screen.shows('❯ /context', /Context: [\d,]+ \//);
  screen.type(`one${KEYS.enter}`);
  await screen.shows('First answer');

  expect(screen.text()).toMatch(/Context: [\d,]+ \//);
});
