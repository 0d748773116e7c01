import { describe, expect, it } from 'vitest';
import { ClaudeTranscript } from '../../../cli/test/support/claude-transcript.ts';
import { serve } from '../../../cli/test/support/served.ts';
import { XSS_CORPUS } from '../xss-corpus.ts';
import { browserForTests } from './browser.ts';
import { pageServer, place } from './real-server.ts';

// Slow tests against the built `robota serve`.

const browser = browserForTests();
const FOREIGN = '11111111-2222-4333-8444-555555555555';

describe('the page of a real server', () => {
  it('opens a conversation of 100,000 blocks at the end and at any block', async () => {
    const { home, ...rest } = place();
    const texts = Array.from({ length: 99_999 }, (_, index) => `Answer number ${index + 1}.`);
    new ClaudeTranscript(home, FOREIGN).prompt('Count').answers(texts);
    const served = await serve({ home, ...rest });
    const { page, problems } = await browser.open(pageServer(served), `/s/claude/${FOREIGN}`);
    await page.getByText('Answer number 99999.').waitFor({ timeout: 60_000 });

    await page.goto(`${served.url}/s/claude/${FOREIGN}?block=50000`);
    await page.locator('.row-found', { hasText: 'Answer number 50000.' }).waitFor();

    const heap = await page.evaluate(() => {
      const { memory } = performance as unknown as { memory: { usedJSHeapSize: number } };
      return memory.usedJSHeapSize;
    });
    expect(heap).toBeLessThan(40 * 1024 * 1024);
    expect(problems).toEqual([]);
    await served.stop();
  }, 180_000);

  it('executes nothing from a transcript', async () => {
    const { home, ...rest } = place();
    new ClaudeTranscript(home, FOREIGN).prompt(XSS_CORPUS[0] ?? '').answers(XSS_CORPUS);
    const served = await serve({ home, ...rest });
    const { page, problems } = await browser.open(pageServer(served), `/s/claude/${FOREIGN}`);
    await page.locator('.row').first().waitFor();

    for (let ordinal = 0; ordinal < XSS_CORPUS.length; ordinal += 20) {
      await page.goto(`${served.url}/s/claude/${FOREIGN}?block=${ordinal}`);
      await page.locator('.row-found').waitFor();
      const harm = page.locator(
        '.conversation-rows :is(script,iframe,style,base,form,object,embed,video,audio)',
      );
      expect(await harm.count()).toBe(0);
    }

    expect(await page.evaluate(() => '__ran' in globalThis)).toBe(false);
    expect(problems).toEqual([]);
    await served.stop();
  }, 180_000);
});
