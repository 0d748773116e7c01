import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ClaudeTranscript } from '../../../cli/test/support/claude-transcript.ts';
import { enterQuestion } from '../../../cli/test/support/question-keys.ts';
import { type Served, serve } from '../../../cli/test/support/served.ts';
import { KEYS, TerminalScreen } from '../../../cli/test/support/terminal-screen.ts';
import { accessibilityProblems, browserForTests, keepPicture } from './browser.ts';
import { pageServer, place } from './real-server.ts';

// Session actions of the page, against the built `robota serve`.

const browser = browserForTests();
const PATIENT = { timeout: 20_000 };
const FOREIGN = '11111111-2222-4333-8444-555555555555';

async function openNew(served: Served, body: object = {}): Promise<Page> {
  const { session_id: id } = await served.json<{ session_id: string }>(
    'POST',
    '/api/sessions',
    body,
  );
  return (await browser.open(pageServer(served), `/s/robota/${id}`)).page;
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Prompt').fill(text);
  await page.keyboard.press('Enter');
  await page.locator('.user-message', { hasText: text }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
}

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

describe('a question of the real terminal program', () => {
  it('is shown on the page too; answering on one closes it on the other', async () => {
    const home = place();
    const served = await serve(home);
    await using screen = new TerminalScreen(home, ['--provider', 'demo']);
    await screen.shows('Ask anything');
    const { page } = await browser.open(pageServer(served), '/');

    screen.type(`run \`touch one.txt\`${KEYS.enter}`);
    await screen.shows('Run this command?');
    await page.locator('.session-line', { hasText: 'Needs you' }).click();
    await page.getByRole('button', { name: /Allow once/ }).click();
    await screen.shows('● Bash touch one.txt');
    expect(screen.window()).not.toContain('Run this command?');

    screen.type(`run \`touch two.txt\`${KEYS.enter}`);
    await page.getByRole('alertdialog').waitFor();
    await enterQuestion(screen);
    screen.type(`1${KEYS.enter}`);
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    await screen.shows('● Bash touch two.txt');
    const made = ['one.txt', 'two.txt'].map((name) => existsSync(join(home.project, name)));
    expect(made).toEqual([true, true]);
    screen.type(KEYS.ctrlD);
    await screen.exited();
    await served.stop();
  });
});

describe('a session of our own', () => {
  it('rewinds to before a prompt with its files, undoes that, and forks there', async () => {
    const home = place();
    const served = await serve(home);
    const page = await openNew(served, { permission_mode: 'bypassPermissions' });
    await say(page, 'Hello');
    await say(page, 'write notes.txt with Hello');
    const file = join(home.project, 'notes.txt');
    expect(existsSync(file)).toBe(true);

    const prompt = page.locator('.user-message', { hasText: 'write notes.txt with Hello' });
    const second = page.locator('.row', { has: prompt });
    await second.hover();
    await second.getByRole('button', { name: 'Rewind to before this' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rewind' });
    await dialog.getByText('notes.txt').first().waitFor();
    await keepPicture(page, 'real-rewind');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rewind both' }).click();
    await expect.poll(() => existsSync(file), PATIENT).toBe(false);
    await page.getByText('Rewound; 1 file changed').waitFor();
    await keepPicture(page, 'real-rewound');
    await page.getByText('Rewound here').waitFor({ timeout: 10_000 });

    await choose(page, 'Undo the rewind');
    await expect.poll(() => existsSync(file), PATIENT).toBe(true);
    await second.waitFor();

    await second.hover();
    await second.getByRole('button', { name: 'Fork before this' }).click();
    await page.getByText('Forked into a new session').waitFor();
    await page.locator('.user-message', { hasText: 'Hello' }).waitFor();
    expect(await page.locator('.user-message').count()).toBe(1);
    await served.stop();
  });

  it('is compacted and cleared, with a confirmation before what cannot be undone', async () => {
    const served = await serve(place());
    const page = await openNew(served);
    await say(page, 'Hello');

    await choose(page, 'Compact');
    await page.getByText('Compacted', { exact: true }).waitFor();
    await choose(page, 'Clear the conversation');
    await page.getByRole('menuitem', { name: 'press again' }).click();
    await page.getByText('Cleared', { exact: true }).waitFor();

    await expect.poll(() => page.locator('.user-message').count()).toBe(0);
    await served.stop();
  });

  it('offers the known models, and uses the chosen one', async () => {
    const served = await serve(place());
    const page = await openNew(served);
    const menu = page.getByLabel('Model', { exact: true });
    await expect.poll(() => menu.locator('option').count()).toBeGreaterThan(3);

    const model = (await menu.locator('option').allTextContents()).at(-1) ?? '';
    await menu.selectOption(model);

    const address = new URL(page.url()).pathname.split('/').at(-1);
    await expect
      .poll(async () => {
        const { state } = await served.json<{ state: { model?: string } }>(
          'GET',
          `/api/sessions/${address}`,
        );
        return state.model;
      })
      .toBe(model);
    await served.stop();
  });
});

describe('sessions of several agents', () => {
  it('are filtered by agent, renamed, and handed over into another directory', async () => {
    const home = place();
    const elsewhere = join(home.home, 'elsewhere');
    mkdirSync(elsewhere);
    new ClaudeTranscript(home.home, FOREIGN, home.project).prompt('Why slow?').answer('The lease.');
    const served = await serve(home);
    const page = await openNew(served, { name: 'Mine' });
    await page.locator('.session-line', { hasText: 'Why slow?' }).waitFor();
    await page.locator('.session-line', { hasText: 'Mine' }).waitFor();

    await page.getByRole('button', { name: 'Only Claude Code' }).click();
    await page.locator('.session-line', { hasText: 'Mine' }).waitFor({ state: 'hidden' });
    await page.locator('.session-line', { hasText: 'Why slow?' }).waitFor();
    expect(await page.locator('.session-line').count()).toBe(1);
    await keepPicture(page, 'real-agents');

    await page.locator('.session-line').click();
    await page.getByText('The lease.').waitFor();
    await choose(page, 'Rename');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('The slow lease');
    await page.keyboard.press('Enter');
    await page.locator('.session-line', { hasText: 'The slow lease' }).waitFor();

    await choose(page, 'Hand over');
    await page.getByLabel('Directory').fill(elsewhere);
    await page.getByRole('dialog').getByRole('button', { name: 'Codex' }).click();
    await page.getByRole('button', { name: 'Go on in Codex' }).click();
    await page.getByText(`Go on with it in ${elsewhere}:`).waitFor();
    await served.stop();
  });
});
