import { describe, expect, it } from 'vitest';
import { accessibilityProblems, browserForTests, keepPicture } from './browser.ts';
import { QUESTION, sampleWorld } from './sample-world.ts';

const browser = browserForTests();

async function openShow(options = {}, path = '/s/robota/show') {
  const world = sampleWorld();
  const server = await browser.serve(world);
  const opened = await browser.open(server, path, options);
  return { world, server, ...opened, opened };
}

describe('the page', () => {
  it('shows sessions of every agent and one conversation', async () => {
    const { page, problems, world } = await openShow();
    world.main.tell({ type: 'thinking', is_thinking: true });

    await page.locator('.user-message', { hasText: 'Run the crash suite' }).waitFor();

    const lines = page.locator('.session-line');
    expect(await lines.first().innerText()).toContain('Needs you');
    expect(await page.locator('.session-line[aria-current=page]').innerText()).toContain(
      'Crash repeats',
    );
    expect(await page.locator('.chips').first().innerText()).toMatch(/Live 2[\s\S]*Waiting 1/);
    await keepPicture(page, 'desktop-light-end');
    await page.locator('.conversation-scroll').evaluate((box) => {
      box.dispatchEvent(new WheelEvent('wheel', { deltaY: -1000, bubbles: true }));
      box.scrollTop = 0;
    });
    await page.getByText('Read 2 files, searched once').waitFor();
    await page.getByText('Rewound here').waitFor();
    await keepPicture(page, 'desktop-light');
    expect(problems).toEqual([]);
  });

  it('filters the list and follows its changes', async () => {
    const { page, server, world } = await openShow();
    await page.getByRole('button', { name: /^Waiting/ }).click();
    await expect.poll(() => page.locator('.session-line').count()).toBe(1);

    server.tellList({ ...world.main.row, state: 'waiting' });

    await expect.poll(() => page.locator('.session-line').count()).toBe(2);
    await page.getByRole('button', { name: 'Waiting 2' }).waitFor();
  });

  it('finds words in any session and opens the conversation at the hit', async () => {
    const { page, problems } = await openShow();
    await page.locator('.session-line').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search every session' }).fill('outcome');
    await page.locator('.hit mark').first().waitFor();
    await keepPicture(page, 'search-light');

    await page.keyboard.press('Enter');

    await page.waitForURL(/\/s\/robota\/show\?block=a2&q=outcome$/);
    await page.locator('.row-found').waitFor();
    expect(await page.locator('.row-found').innerText()).toContain('What changed');
    expect(problems).toEqual([]);
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await openShow();
    await page.locator('.user-message', { hasText: 'Run the crash suite' }).waitFor();
    await page.locator('.conversation-scroll').focus();

    await page.keyboard.press('k');
    await expect
      .poll(() => page.locator('.user-message', { hasText: 'Resuming a session' }).isVisible())
      .toBe(true);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    await page.keyboard.press(']');
    await page.waitForURL(/\/s\//);
  });

  it('shows usage as a chart and a table', async () => {
    const { page, problems } = await openShow({ colorScheme: 'dark' }, '/usage');
    await page.getByText('claude-sonnet-5-5').first().waitFor();
    await expect.poll(() => page.locator('.chart rect').count()).toBe(120);
    await keepPicture(page, 'usage-dark');

    expect(await page.getByRole('row', { name: /gemini-3.5-pro/ }).innerText()).toContain(
      'unknown',
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('manages trust and creates links without a token', async () => {
    const { page, server } = await openShow({}, '/settings');
    await page.getByText('/home/ada/relay').waitFor();
    await page.getByLabel('Folder to trust').fill('/home/ada/docs');
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await page.getByText('/home/ada/docs').waitFor();

    await page.getByRole('button', { name: 'Create a link' }).click();

    const link = await page.locator('.one-time-link').innerText();
    expect(link).toMatch(/#code=code-/);
    expect(await accessibilityProblems(page)).toEqual([]);
    const second = await page.context().browser()?.newPage();
    await second?.goto(link);
    await second?.getByText('Pick up where any agent left off').waitFor();
    expect(second?.url()).toBe(`${server.url}/`);
    await second?.close();
  });

  it('previews a hand-over before writing anything', async () => {
    const { page, server } = await openShow();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Hand over' }).click();
    await page.getByRole('button', { name: 'Codex', exact: true }).click();

    await page.getByText('prompts: 3 of 3 kept').waitFor();

    const sent = server.requests.filter(({ path }) => path.endsWith('/hand-over'));
    expect(sent.map(({ body }) => body)).toEqual([{ to: 'codex', dry_run: true }]);
    await page.getByRole('button', { name: 'Go on in Codex' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('shows a subagent in its own thread', async () => {
    const { page } = await openShow();
    await page.goto(`${page.url().split('?')[0]}?block=13`);
    await page.locator('a.subagent').click();

    await page.waitForURL(/\/t\/reviewer$/);
    await page.getByText('I read both callers of the ledger.').waitFor();
  });
});

describe('accessibility and phones', () => {
  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
    ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }],
  ])('has no axe violations (%s)', async (_, options) => {
    const { page, world } = await openShow(options);
    world.main.tell(QUESTION);
    await page.getByRole('alertdialog').waitFor();

    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('has no axe violations in the list on a phone and in the search', async () => {
    const { page } = await openShow({ viewport: { width: 390, height: 844 } }, '/');
    await page.locator('.session-line').first().waitFor();
    await keepPicture(page, 'phone-list');
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search every session' }).fill('outcome');
    await page.locator('.hit').first().waitFor();

    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('shows list and conversation as two pages on a phone, without clipping', async () => {
    const { page, world } = await openShow({
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      deviceScaleFactor: 2,
    });
    world.main.tell({ type: 'thinking', is_thinking: true });
    world.main.tell(QUESTION);
    await page.getByRole('alertdialog').waitFor();
    await keepPicture(page, 'phone-question');

    expect(await page.locator('.side').isVisible()).toBe(false);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    const allow = await page.getByRole('button', { name: /Allow once/ }).boundingBox();
    expect(allow?.height).toBeGreaterThanOrEqual(40);
    await page.getByRole('link', { name: 'All sessions' }).click();
    await page.locator('.side').waitFor();
  });

  it('shows right-to-left text in its direction', async () => {
    const { page } = await openShow({}, '/s/robota/show?block=14');
    const quote = page.locator('blockquote p');
    await quote.waitFor();

    expect(await quote.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  });
});
