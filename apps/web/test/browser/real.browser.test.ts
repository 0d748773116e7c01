import { join } from 'node:path';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { openSessionSocket } from '@robota-sdk/agent-transport/run';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClaudeTranscript } from '../../../cli/test/support/claude-transcript.ts';
import { installFakePrograms, type Served, serve } from '../../../cli/test/support/served.ts';
import { accessibilityProblems, browserForTests, keepPicture } from './browser.ts';
import { pageServer, place } from './real-server.ts';

// The page against the built `robota serve`, with the offline provider and scripted agent programs.

const browser = browserForTests();
const FOREIGN = '11111111-2222-4333-8444-555555555555';

async function newSession({ json }: Served, body: object = {}): Promise<string> {
  return (await json<{ session_id: string }>('POST', '/api/sessions', body)).session_id;
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Prompt').fill(text);
  await page.keyboard.press('Enter');
}

function blocksOf(page: Page): Promise<string[]> {
  return page.locator('.row').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
}

describe('the page of a real server', () => {
  it('shows sessions of every agent, searches them and opens a hit', async () => {
    const { home, ...rest } = place();
    const answers = Array.from({ length: 300 }, (_, index) => `Step ${index} of the relay.`);
    answers[40] = 'Here the quokka keeps the ledger.';
    new ClaudeTranscript(home, FOREIGN).prompt('Why is the relay slow?').answers(answers);
    const served = await serve({ home, ...rest });
    const { page, problems } = await browser.open(pageServer(served), '/');
    await page.locator('.session-line', { hasText: 'Why is the relay slow?' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search every session' }).fill('quokka');
    await page.locator('.hit mark', { hasText: 'quokka' }).waitFor();
    await page.keyboard.press('Enter');

    await page.locator('.row-found', { hasText: 'quokka keeps the ledger' }).waitFor();
    await keepPicture(page, 'real-hit');
    expect(problems).toEqual([]);
    await served.stop();
  });

  it('shows everything once when reloaded while streaming', async () => {
    const served = await serve(place());
    const id = await newSession(served);
    const { page, problems } = await browser.open(pageServer(served), `/s/robota/${id}`);

    await send(page, 'say something long');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.reload();
    await page.getByLabel('Prompt').waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });

    const { total, blocks } = await served.json<{ total: number; blocks: { content: string }[] }>(
      'GET',
      `/api/sessions/${id}/blocks`,
    );
    const last = page.locator(`.row[data-ordinal="${total - 1}"]`);
    const end = (blocks.at(-1)?.content ?? '').trimEnd().split('\n').at(-1) ?? '';
    await last.filter({ hasText: end }).waitFor();
    expect(blocks.filter(({ content }) => content === 'say something long')).toHaveLength(1);
    expect(problems).toEqual([]);
    await served.stop();
  });

  it('answers a question of a terminal, which then continues', async () => {
    const { home, ...rest } = place();
    const served = await serve({ home, ...rest });
    const terminal = new InteractiveSession({
      cwd: rest.project,
      provider: scriptedProvider(
        calls({ id: 'c1', name: 'Bash', args: { command: 'touch made.txt' } }),
        says('Made it.'),
      ),
      persistence: false,
      bare: true,
    });
    const asked: string[] = [];
    const answered: unknown[] = [];
    terminal.on('permission_request', ({ toolName }) => asked.push(toolName));
    terminal.on('permission_resolved', ({ by }) => answered.push(by));
    const socket = await openSessionSocket(terminal, join(home, '.robota/run'));
    onTestFinished(() => socket.close());
    const outcome = terminal.submit('make it');
    const { page } = await browser.open(pageServer(served), '/');
    await page.locator('.session-line', { hasText: 'Needs you' }).click();
    await page.getByRole('alertdialog').waitFor();
    await keepPicture(page, 'real-question');

    await page.getByRole('button', { name: /Allow once/ }).click();

    expect(await outcome).toMatchObject({ status: 'completed' });
    await page.getByText('Made it.').waitFor();
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    expect([asked, answered.length]).toEqual([['Bash'], 1]);
    await terminal.shutdown();
    await served.stop();
  });

  it('closes a question on both open pages when one answers', async () => {
    const served = await serve(place());
    const id = await newSession(served);
    const first = await browser.open(pageServer(served), `/s/robota/${id}`);
    const second = await browser.open(pageServer(served), `/s/robota/${id}`);
    await send(first.page, 'run `touch made.txt`');
    await second.page.getByRole('alertdialog').waitFor();
    await first.page.getByRole('alertdialog').waitFor();

    await second.page.getByRole('button', { name: /Allow once/ }).click();

    await first.page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    for (const { page } of [first, second]) {
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    }
    expect(await blocksOf(first.page)).toEqual(await blocksOf(second.page));
    await served.stop();
  });

  it('survives a restart of its server', async () => {
    const home = place();
    const first = await serve(home);
    const id = await newSession(first, { name: 'Survivor' });
    const { page } = await browser.open(pageServer(first), `/s/robota/${id}`);
    await send(page, 'run `touch made.txt`');
    await page.getByRole('alertdialog').waitFor();
    const before = await page.locator('.user-message').count();
    first.child.kill('SIGKILL');
    await first.ended;
    await page.getByText('Connection lost; trying again').waitFor();

    const second = await serve(home, ['--port', new URL(first.url).port]);

    await page.getByText('Connection lost; trying again').waitFor({ state: 'hidden' });
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    expect(await page.locator('.user-message').count()).toBe(before);
    await send(page, 'Still there?');
    await page.locator('.user-message', { hasText: 'Still there?' }).waitFor();
    await page.getByText('I am the demo provider').waitFor();
    await second.stop();
  });

  it('forks a session and hands one over', async () => {
    const { home, ...rest } = place();
    const { project } = rest;
    new ClaudeTranscript(home, FOREIGN, project).prompt('Why is it slow?').answer('The lease.');
    const served = await serve({ home, ...rest });
    const id = await newSession(served);
    const { page } = await browser.open(pageServer(served), `/s/robota/${id}`);
    await send(page, 'Hello');
    await page.getByText('I am the demo provider').waitFor();
    await page.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('I am the demo provider').waitFor();

    await page.locator('.session-line', { hasText: 'Why is it slow?' }).click();
    await page.getByRole('button', { name: 'Hand over' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Codex' }).click();
    await page.getByText('answers: 1 of 1 kept').waitFor();
    await keepPicture(page, 'real-hand-over');
    await page.getByRole('button', { name: 'Go on in Codex' }).click();
    await page.getByText(/codex resume [0-9a-f-]{36}/).waitFor();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('The written session was removed.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Continue here' }).last().click();

    await page.waitForURL(/\/s\/robota\//);
    await page.getByText('The lease.').waitFor();
    await send(page, 'Go on');
    await page.getByText('I am the demo provider').waitFor();
    await served.stop();
  });

  it('runs the program of another agent, and follows one that runs elsewhere', async () => {
    const { home, ...rest } = place();
    const here = { home, ...rest };
    const transcript = new ClaudeTranscript(home, FOREIGN).prompt('Elsewhere');
    const served = await serve(here, [], installFakePrograms(here));
    const { page } = await browser.open(pageServer(served), '/');
    await page.getByRole('button', { name: 'New with Codex' }).click();
    await page.getByLabel('Prompt').waitFor();
    await send(page, 'hello');
    await page.locator('.user-message', { hasText: 'hello' }).waitFor();
    await page.locator('.row').nth(1).waitFor();

    await page.locator('.session-line', { hasText: 'Elsewhere' }).click();
    await page.getByText('This session runs in Claude Code').waitFor();
    transcript.answer('Written by the other program.');

    await page.getByText('Written by the other program.').waitFor();
    await served.stop();
  });

  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
    ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }],
  ])('has no axe violations (%s)', async (name, options) => {
    const served = await serve(place());
    const id = await newSession(served, { name: 'A session' });
    const { page } = await browser.open(pageServer(served), `/s/robota/${id}`, options);
    await send(page, 'run `touch made.txt`');
    await page.getByRole('alertdialog').waitFor();
    await keepPicture(page, `real-${name}`);

    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${served.url}/settings`);
    await page.getByRole('heading', { name: 'Tokens' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await served.stop();
  });
});
