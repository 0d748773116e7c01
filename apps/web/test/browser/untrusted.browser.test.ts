import { expect, it } from 'vitest';
import { hostileBlocks, XSS_CORPUS } from '../xss-corpus.ts';
import { browserForTests } from './browser.ts';
import { FakeSession } from './fake-session.ts';
import { row, sampleWorld } from './sample-world.ts';

const browser = browserForTests();

/** Rows per scroll step. */
const STEP = 60;

it('executes, loads and sends nothing from a transcript, in any block type', async () => {
  const blocks = XSS_CORPUS.flatMap((text, index) => hostileBlocks(text, `x${index}`));
  const hostile = new FakeSession({
    row: row({ id: 'hostile', title: '<img src=x onerror=window.__ran=1>', project: '<b>p</b>' }),
    blocks,
  });
  const server = await browser.serve({ ...sampleWorld(), sessions: [hostile] });
  const { page, problems } = await browser.open(server, '/s/robota/hostile?block=0');
  await page.locator('.row').first().waitFor();
  const found: string[] = [];

  for (let ordinal = 0; ordinal < blocks.length; ordinal += STEP) {
    await page.evaluate(openFoldsAt, ordinal / blocks.length);
    found.push(...(await page.evaluate(harmIn)));
  }

  expect(found).toEqual([]);
  expect(await page.evaluate(() => '__ran' in globalThis)).toBe(false);
  expect(problems).toEqual([]);
}, 300_000);

it('has a CSP that would block injected markup and code', async () => {
  const server = await browser.serve(sampleWorld());
  const { page } = await browser.open(server, '/');
  await page.locator('.session-line').first().waitFor();

  const refused = await page.evaluate(() => {
    const outcomes: string[] = [];
    try {
      document.createElement('div').innerHTML = '<b>x</b>';
      outcomes.push('innerHTML');
    } catch {
      // Blocked as expected.
    }
    const image = document.createElement('img');
    image.src = 'https://outside.invalid/x.png';
    document.body.append(image);
    return outcomes;
  });

  expect(refused).toEqual([]);
});

/** Scrolls to a fraction of the conversation and opens all folds there. */
async function openFoldsAt(share: number): Promise<void> {
  const box = document.querySelector('.conversation-scroll');
  if (!box) return;
  box.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, bubbles: true }));
  box.scrollTop = share * box.scrollHeight;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  await frame();
}

/** Foreign elements, attributes and URLs in the conversation. */
function harmIn(): string[] {
  const bad =
    'script,iframe,style,base,meta,form,object,embed,template,link,video,audio,math,input';
  const area = document.querySelector('.conversation-rows');
  const elements = [...(area?.querySelectorAll('*') ?? [])];
  return elements.flatMap((element) => {
    const wrong: string[] = [];
    if (element.matches(bad)) wrong.push(element.outerHTML.slice(0, 120));
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) wrong.push(`${element.tagName} ${name}`);
      if (name === 'src' && !/^data:image\/(?:png|jpeg|gif|webp);/.test(value)) wrong.push(value);
      if (name === 'href' && !/^(?:https?:\/\/|mailto:|\/s\/)/.test(value)) wrong.push(value);
    }
    return wrong;
  });
}
