import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { joinSocketSession } from '@robota-sdk/agent-transport/run';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { enterQuestion } from '../support/question-keys.ts';
import { createPlace, finished, type Place, startRobota } from '../support/run-robota.ts';
import { serve as startServer } from '../support/served.ts';
import { KEYS, TerminalScreen } from '../support/terminal-screen.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const READY = 'Ask anything';
const demo = (...args: string[]) => new TerminalScreen(place, ['--provider', 'demo', ...args]);
const runFolder = () => join(place.home, '.robota/run');

/** Resolves when the terminal listens for others. */
async function announced(screen: TerminalScreen, id: string): Promise<void> {
  await screen.shows(READY);
  const path = join(runFolder(), `${id}.sock`);
  while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
}

describe('a session that a terminal holds', () => {
  it('is joined by others: a question asked there is answered here and gone there', async () => {
    await using screen = demo('--session-id', 'held');
    await announced(screen, 'held');
    expect(statSync(join(runFolder(), 'held.sock')).mode & 0o777).toBe(0o600);
    const page = await joinSocketSession('held', { folder: runFolder() });
    if (!page) throw new Error('Nobody holds the session.');
    const asked = new Promise<string>((resolve) => page.on('question', ({ id }) => resolve(id)));

    screen.type(`run \`touch made.txt\`${KEYS.enter}`);
    await screen.shows('Run this command?');
    expect(await page.answer(await asked, 'allow')).toBe(true);
    await screen.shows('● Bash touch made.txt');

    expect(screen.window()).not.toContain('Run this command?');
    expect(existsSync(join(place.project, 'made.txt'))).toBe(true);
    const outcome = page.submit('list files');
    await screen.shows('❯ list files', /Glob is done|no matches/);
    expect(await outcome).toMatchObject({ status: 'completed' });
    await page.shutdown();
    screen.type(KEYS.ctrlD);
    await screen.exited();
    expect(readdirSync(runFolder())).toEqual([]);
  });

  it.each(['beside', 'in'] as const)(
    'sends the draft by Enter once a question is answered elsewhere, with the keys %s the question',
    async (where) => {
      await using screen = demo('--session-id', 'drafted');
      await announced(screen, 'drafted');
      const page = await joinSocketSession('drafted', { folder: runFolder() });
      if (!page) throw new Error('Nobody holds the session.');
      const asked = new Promise<string>((resolve) => page.on('question', ({ id }) => resolve(id)));
      screen.type(`run \`touch made.txt\`${KEYS.enter}`);
      await screen.shows('Run this command?', /tab answers|then enter/);
      screen.type('my draft');
      await screen.shows('❯ my draft', 'tab answers');
      if (where === 'in') await enterQuestion(screen);

      expect(await page.answer(await asked, 'allow')).toBe(true);
      await screen.until(() => !screen.window().includes('Run this command?'));
      screen.type(KEYS.enter);

      await screen.until(
        () => promptsOn(screen).includes('my draft') && screen.window().includes(READY),
      );
      expect(existsSync(join(place.project, 'made.txt'))).toBe(true);
      await page.shutdown();
    },
  );

  it('is shown by a second terminal, which sees everything, may answer, and forks', async () => {
    await using first = demo('--session-id', 'shared');
    await announced(first, 'shared');
    first.type(`list files${KEYS.enter}`);
    await first.shows(/Glob is done|no matches/);
    await using second = demo('-r', 'shared');
    await second.shows('❯ list files', 'Another robota process runs this session', READY);

    first.type(`run \`touch made.txt\`${KEYS.enter}`);
    await second.shows('Run this command?');
    await enterQuestion(second);
    second.type(`1${KEYS.enter}`);
    await first.shows('● Bash touch made.txt');
    expect(first.window()).not.toContain('Run this command?');
    second.type(`from the second${KEYS.enter}`);
    await first.shows('❯ from the second');
    second.type(`/fork${KEYS.enter}`);
    await second.until(() => (second.text().match(/▐█▌ Robota/g) ?? []).length === 2);
    second.type(`only in the copy${KEYS.enter}`);
    await second.shows('❯ only in the copy', READY);
    expect(second.window()).not.toMatch(/line lost|ended:/);
    second.type(KEYS.ctrlD);
    await second.exited();

    expect(second.text()).toMatch(/Resume this session: robota -r (?!shared)/);
    expect(first.text()).not.toContain('only in the copy');
  });
});

it('is held by the second terminal once the first has left', async () => {
  await using first = demo('--session-id', 'passed');
  await announced(first, 'passed');
  first.type(`list files${KEYS.enter}`);
  await first.shows(/Glob is done|no matches/);
  await using second = demo('-r', 'passed');
  await second.shows('Another robota process runs this session', READY);

  first.type(KEYS.ctrlD);
  await first.exited();
  await second.shows('line lost, trying again');
  second.type(`/take-over${KEYS.enter}`);
  await second.until(() => (second.text().match(/▐█▌ Robota/g) ?? []).length === 2);
  second.type(`list files${KEYS.enter}`);
  await second.until(() => (second.text().match(/❯ list files/g) ?? []).length === 3);
  second.type(KEYS.ctrlD);

  await second.exited();
  expect(second.text()).toContain('Resume this session: robota -r passed');
});

/** Starts a server on a free port and waits until it says where. */
async function serve(): Promise<{ child: ChildProcessWithoutNullStreams; url: string }> {
  const child = startRobota(place, ['serve', '--port', '0', '--provider', 'demo']);
  onTestFinished(() => {
    child.kill();
  });
  const url = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).split('\n')[0] ?? ''));
  });
  return { child, url };
}

/** What was asked, as it stands above the prompt. */
function promptsOn(screen: TerminalScreen): string[] {
  return [...screen.text().matchAll(/^❯ (?!Ask anything)(.+)$/gm)].map(([, prompt = '']) =>
    prompt.trim(),
  );
}

describe('robota attach', () => {
  it('is a terminal on a session that a server holds, and leaves it there', async () => {
    const { child, url } = await serve();
    const ended = finished(child);
    const token = readFileSync(join(place.home, '.robota/server-token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const created = await fetch(`${url}/api/sessions`, { method: 'POST', headers, body: '{}' });
    const { session_id: id } = (await created.json()) as { session_id: string };
    {
      await using screen = new TerminalScreen(place, ['attach', url, id]);
      await screen.shows('Attached', READY);
      screen.type(`run \`touch made.txt\`${KEYS.enter}`);
      await enterQuestion(screen);
      screen.type(`1${KEYS.enter}`);
      await screen.shows('● Bash touch made.txt');
      screen.type(KEYS.ctrlD);
      expect(await screen.exited()).toBe(0);
    }
    await using again = new TerminalScreen(place, ['attach', url, id, '--token', token]);

    await again.shows('● Bash touch made.txt', READY);
    await again[Symbol.asyncDispose]();
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('finds the server of this machine by itself, and goes on after a restart without gap or repeat', async () => {
    const first = await startServer(place);
    const { session_id: id } = await first.json<{ session_id: string }>(
      'POST',
      '/api/sessions',
      {},
    );
    await using screen = new TerminalScreen(place, ['attach', id]);
    await screen.shows('Attached', READY);
    screen.type(`list files${KEYS.enter}`);
    await screen.shows(/Glob is done|no matches/);
    const before = promptsOn(screen);

    first.child.kill('SIGKILL');
    await first.ended;
    await screen.shows('line lost, trying again');
    const second = await startServer(place, ['--port', new URL(first.url).port]);
    await screen.until(() => !screen.window().includes('line lost'));
    const asked = await second.json<{ status?: string }>('POST', `/api/sessions/${id}/prompts`, {
      content: 'from another surface',
    });
    await screen.shows('❯ from another surface');
    screen.type(`from this terminal${KEYS.enter}`);
    await screen.shows('❯ from this terminal');
    await screen.until(() => screen.window().includes(READY));

    expect(asked).not.toHaveProperty('error');
    expect(promptsOn(screen)).toEqual([...before, 'from another surface', 'from this terminal']);
    screen.type(KEYS.ctrlD);
    expect(await screen.exited()).toBe(0);
    expect((await second.stop()).code).toBe(0);
  });

  it('says what is missing where nobody holds the session, and where the token is wrong', async () => {
    const { child, url } = await serve();
    const ended = finished(child);
    const wrong = new TerminalScreen(place, ['attach', url, 'some', '--token', 'x'.repeat(40)]);
    const nobody = new TerminalScreen(place, ['attach', 'some']);

    expect(await wrong.exited()).toBe(1);
    expect(await nobody.exited()).toBe(1);
    expect(wrong.text()).toMatch(/token/i);
    expect(nobody.text()).toContain('Session some is open neither on the server');
    child.kill('SIGTERM');
    await ended;
    const alone = new TerminalScreen(place, ['attach', 'some']);
    expect(await alone.exited()).toBe(1);
    expect(alone.text()).toContain('session some is open in no terminal');
  });
});
