import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserForTests } from './browser.ts';
import { longWorld } from './long-conversation.ts';
import { block } from './sample-world.ts';

const browser = browserForTests();

async function topOf(page: Page, ordinal: number): Promise<number> {
  return page
    .locator(`.row[data-ordinal="${ordinal}"]`)
    .first()
    .evaluate((element) => {
      const box = element.closest('.conversation-scroll');
      return element.getBoundingClientRect().top - (box?.getBoundingClientRect().top ?? 0);
    });
}

/** The row in the middle of the screen. */
async function rowInSight(page: Page): Promise<number> {
  return page.evaluate(() => {
    // Tries several points because of the gap between rows.
    const rows = [400, 416, 432].map((y) => document.elementFromPoint(700, y)?.closest('.row'));
    return Number(rows.find(Boolean)?.getAttribute('data-ordinal') ?? Number.NaN);
  });
}

describe('100,000 blocks', () => {
  it('open at the end, and at any block within 10 pixels', async () => {
    const server = await browser.serve(longWorld());
    const { page, problems } = await browser.open(server, '/s/robota/long');
    await page.locator('.row[data-ordinal="99999"]').waitFor();

    for (const ordinal of [50_000, 12_345, 99_000]) {
      await page.goto(`${server.url}/s/robota/long?block=${ordinal}`);
      const found = page.locator(`.row[data-ordinal="${ordinal}"]`, { hasText: `${ordinal}` });
      await found.waitFor();
      await expect.poll(async () => Math.abs((await topOf(page, ordinal)) - 8)).toBeLessThan(10);
    }

    expect(problems).toEqual([]);
  });
});

describe('while an answer grows', () => {
  it('does not move a reader who scrolled up', async () => {
    const world = longWorld();
    const server = await browser.serve(world);
    const { page } = await browser.open(server, '/s/robota/live?block=2000');
    await page.locator('.row[data-ordinal="2000"]', { hasText: 'Prompt 2000' }).waitFor();
    await settled(page);
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, 300);
    await expect.poll(() => topOf(page, 2000)).toBeLessThan(0);
    const inSight = await rowInSight(page);
    await settled(page);
    const before = await topOf(page, inSight);

    world.live.tell({ type: 'thinking', is_thinking: true });
    world.live.says({
      type: 'block_start',
      conversationId: 'main',
      block: block.text('grows', ''),
    });
    for (let part = 0; part < 80; part++) {
      const delta = `Paragraph ${part} of an answer that grows.\n\n`;
      world.live.says({ type: 'text_delta', conversationId: 'main', blockId: 'grows', delta });
      if (part % 10 === 0) await settled(page);
    }
    await settled(page);

    expect(await topOf(page, inSight)).toBe(before);
  });

  it('keeps a reader at the end, and "Latest" returns there', async () => {
    const world = longWorld();
    const server = await browser.serve(world);
    const { page } = await browser.open(server, '/s/robota/live');
    await page.locator('.row[data-ordinal="2999"]').waitFor();
    const grow = (id: string) => {
      world.live.says({ type: 'block_start', conversationId: 'main', block: block.text(id, '') });
      for (let part = 0; part < 40; part++) {
        const delta = `Paragraph ${part} of ${id}.\n\n`;
        world.live.says({ type: 'text_delta', conversationId: 'main', blockId: id, delta });
      }
    };
    world.live.tell({ type: 'thinking', is_thinking: true });
    grow('first');
    await page.getByText('Paragraph 39 of first.').waitFor();
    await expect.poll(() => gapOf(page)).toBeLessThanOrEqual(24);

    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, -900);
    await page.getByRole('button', { name: 'Latest' }).waitFor();
    grow('second');
    await settled(page);
    expect(await gapOf(page)).toBeGreaterThan(400);
    await page.getByRole('button', { name: 'Latest' }).click();

    await expect.poll(() => gapOf(page)).toBeLessThanOrEqual(24);
    grow('third');
    await page.getByText('Paragraph 39 of third.').waitFor();
    await expect.poll(() => gapOf(page)).toBeLessThanOrEqual(24);
  });
});

function gapOf(page: Page): Promise<number> {
  return page
    .locator('.conversation-scroll')
    .evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
}

/** Waits until everything received is rendered and measured. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 6; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}
