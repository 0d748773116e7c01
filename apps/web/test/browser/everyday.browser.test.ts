import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ClaudeTranscript } from '../../../cli/test/support/claude-transcript.ts';
import { type Served, serve } from '../../../cli/test/support/served.ts';
import { accessibilityProblems, browserForTests, keepPicture } from './browser.ts';
import { pageServer, place } from './real-server.ts';

// Everyday work with many sessions, against the built `robota serve`.

const browser = browserForTests();
const idOf = (number: number) => `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`;

async function newSession({ json }: Served, body: object = {}): Promise<string> {
  return (await json<{ session_id: string }>('POST', '/api/sessions', body)).session_id;
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Prompt' }).fill(text);
  await page.keyboard.press('Enter');
}

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

const line = (page: Page, text: string) => page.locator('.session-line', { hasText: text });

describe('many sessions', () => {
  it('are pinned, archived, found again and filtered by project', async () => {
    const home = place();
    new ClaudeTranscript(home.home, idOf(1), '/home/ada/relay').prompt('Slow relay').answer('Yes.');
    new ClaudeTranscript(home.home, idOf(2), '/home/ada/docs').prompt('Write docs').answer('Yes.');
    const served = await serve(home);
    const { page, problems } = await browser.open(pageServer(served), `/s/claude/${idOf(1)}`);
    await line(page, 'Slow relay').waitFor();
    await line(page, 'Write docs').waitFor();

    await choose(page, 'Pin to the top');
    const pinned = line(page, 'Slow relay').getByRole('img', { name: 'Pinned' });
    await pinned.waitFor();
    await choose(page, 'Unpin');
    await pinned.waitFor({ state: 'hidden' });

    await page.getByLabel('Project').selectOption('docs');
    await line(page, 'Slow relay').waitFor({ state: 'hidden' });
    await line(page, 'Write docs').waitFor();
    await page.getByLabel('Project').selectOption('All projects');
    await line(page, 'Slow relay').waitFor();

    await choose(page, 'Archive');
    await line(page, 'Slow relay').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Archived sessions' }).click();
    await line(page, 'Slow relay').waitFor();
    expect(await line(page, 'Write docs').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await served.stop();
  });

  it('are opened with the palette, with search words marked', async () => {
    const home = place();
    const answers = Array.from({ length: 40 }, (_, index) => `Step ${index} of the relay.`);
    answers[7] = 'Here the quokka keeps the ledger, and the Quokka is kind.';
    new ClaudeTranscript(home.home, idOf(1)).prompt('Slow relay').answers(answers);
    new ClaudeTranscript(home.home, idOf(2)).prompt('Another').answer('A quokka, too.');
    const served = await serve(home);
    const { page } = await browser.open(pageServer(served), `/s/claude/${idOf(1)}`);
    await page.getByText('Step 39 of the relay.').waitFor();
    expect(await page.title()).toBe('Slow relay · Robota');

    await page.keyboard.press('f');
    await page.getByRole('combobox', { name: 'Find in this session' }).fill('quokka');
    await page.locator('.hit mark').first().waitFor();
    expect(await page.locator('.hit').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.locator('.row-found', { hasText: 'quokka keeps' }).waitFor();
    const marked = () =>
      page.evaluate(() =>
        [...(CSS.highlights.get('found-words') ?? [])].map((range) => String(range)),
      );
    await expect.poll(marked).toEqual(['quokka', 'Quokka']);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /Another/ }).waitFor();
    await keepPicture(page, 'palette');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.type('usage');
    await page.getByRole('option', { name: /Usage and cost/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    await served.stop();
  });
});

describe('queued prompts', () => {
  it('are edited and removed one by one', async () => {
    const served = await serve(place());
    const id = await newSession(served);
    const { page } = await browser.open(pageServer(served), `/s/robota/${id}`);
    await send(page, 'run `touch made.txt`');
    await page.getByRole('alertdialog').waitFor();
    for (const text of ['first of three', 'second of three', 'third of three']) {
      await send(page, text);
      await page.locator('.queue li', { hasText: text }).waitFor();
    }
    const waiting = () => page.locator('.queue li .grow').allInnerTexts();

    await page.getByRole('button', { name: 'Remove queued prompt 2' }).click();
    await expect.poll(waiting).toEqual(['first of three', 'third of three']);
    await page.reload();
    await expect.poll(waiting).toEqual(['first of three', 'third of three']);
    await page.getByRole('button', { name: 'Edit queued prompt 1' }).click();

    const box = page.getByRole('textbox', { name: 'Prompt' });
    expect(await box.inputValue()).toBe('first of three');
    await expect.poll(waiting).toEqual(['third of three']);
    await box.fill('');
    await box.press('ArrowUp');
    expect(await box.inputValue()).toBe('third of three');
    await expect.poll(waiting).toEqual([]);
    await served.stop();
  });
});

describe('a read-only user', () => {
  it('sees why, and is offered nothing that would be refused', async () => {
    const served = await serve(place());
    const id = await newSession(served, { name: 'Watched' });
    const owner = await browser.open(pageServer(served), `/s/robota/${id}`);
    const { token } = await served.json<{ token: string }>('POST', '/api/tokens', {
      user: 'guest',
      roles: ['read'],
    });
    const { code } = (await (await served.call('POST', '/api/links', undefined, token)).json()) as {
      code: string;
    };
    const guest = { url: served.url, newCode: () => code };

    const { page, problems } = await browser.open(guest, `/s/robota/${id}`);
    await page.getByText('You may look at this session, not change it.').waitFor();
    await send(owner.page, 'run `touch made.txt`');
    await owner.page.getByRole('alertdialog').waitFor();
    await page.getByText('It waits for a user who may answer.').waitFor();

    expect(await page.getByRole('textbox', { name: 'Prompt' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Fork', exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New session' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    const offered = await page.getByRole('menuitem').allInnerTexts();
    expect(offered.every((entry) => entry.startsWith('Export'))).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await served.stop();
  });
});

describe('a narrow window', () => {
  it('overlays the outline, and links back from every page on a phone', async () => {
    const home = place();
    new ClaudeTranscript(home.home, idOf(1)).prompt('مرحبا بالعالم').answer('نعم.');
    const served = await serve(home);
    const options = { viewport: { width: 1000, height: 800 } };
    const { page } = await browser.open(pageServer(served), `/s/claude/${idOf(1)}`, options);
    const words = page.locator('.user-words');
    await words.waitFor();
    expect(await words.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    const rail = page.getByRole('complementary', { name: 'Outline' });
    expect(await rail.count()).toBe(0);
    await page.getByRole('button', { name: 'Outline' }).click();
    await rail.getByText('Prompts').waitFor();
    await rail.getByRole('button').first().click();
    await rail.waitFor({ state: 'hidden' });

    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/usage', '/settings']) {
      await page.goto(`${served.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => accessibilityProblems(page)).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(390);
      await page.getByRole('link', { name: 'All sessions' }).click();
      await page.locator('.session-line').first().waitFor();
    }
    await served.stop();
  });
});

describe('an exported file', () => {
  it('is self-contained: opened from disk it makes no request and looks like the page', async () => {
    const home = place();
    new ClaudeTranscript(home.home, idOf(1))
      .prompt('Slow relay')
      .answer(`# Why\n\n\`\`\`ts\nconst a = '${'x'.repeat(300)}';\n\`\`\`\n\n$$\na\\,b\n$$`);
    const served = await serve(home);
    const path = `/api/sessions/${idOf(1)}/export?format=html&agent=claude`;
    const file = join(home.home, 'export.html');
    await served.json('GET', '/api/sessions');
    await expect.poll(async () => (await served.call('GET', path)).status).toBe(200);
    writeFileSync(file, await (await served.call('GET', path)).text());
    await served.stop();

    const disk = { url: `file://${file}`, newCode: () => 'none' };
    const { page, problems, addresses } = await browser.open(disk, '');
    await page.getByRole('heading', { name: 'Slow relay' }).waitFor();

    expect(addresses.filter((address) => /^(?:https?|ws)/.test(address))).toEqual([]);
    expect(await page.evaluate(() => document.fonts.check('16px Inter'))).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 900 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(700);
    expect(problems).toEqual([]);
  });
});
