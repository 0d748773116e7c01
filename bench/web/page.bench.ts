import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Lexer } from 'marked';
import { type Browser, chromium, type Page } from 'playwright-core';
import { IncrementalMarkdown } from '../../apps/web/src/markdown/incremental-markdown.ts';
import { FakeServer } from '../../apps/web/test/browser/fake-server.ts';
import { longWorld } from '../../apps/web/test/browser/long-conversation.ts';
import { type BenchRow, type BenchValue, median } from '../harness.ts';

const ASSETS = join(import.meta.dirname, '../../apps/web/dist/page/assets');
const CHROMIUM = process.env.ROBOTA_CHROMIUM ?? '/usr/bin/chromium';

/** An answer of ten thousand words with all Markdown elements, and its deltas. */
const PART = `## A heading with \`code\`

Some words of a paragraph that goes on for a while, with **bold**, *soft* and [a link](https://example.com).

- one point of a list
- another with \`code\` in it

\`\`\`ts
const answer = question.map((word) => word.length);
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

`;
const ANSWER = PART.repeat(160);
const DELTA = 6;

/** Milliseconds per delta while the answer streams. */
function incrementalTimes(): number[] {
  const reader = new IncrementalMarkdown();
  const times: number[] = [];
  for (let end = DELTA; end <= ANSWER.length; end += DELTA) {
    const started = performance.now();
    reader.read(ANSWER.slice(0, end));
    times.push(performance.now() - started);
  }
  return times;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function incrementalShare(): BenchValue {
  incrementalTimes();
  const times = incrementalTimes();
  const mine = sum(times) / times.length;
  // Baseline: the text is parsed again for every delta, on average half of it.
  const whole = median(
    Array.from({ length: 9 }, () => {
      const started = performance.now();
      Lexer.lex(ANSWER.slice(0, ANSWER.length / 2));
      return performance.now() - started;
    }),
  );
  const words = ANSWER.split(/\s+/).length;
  return {
    value: mine / whole,
    detail: `${words} words, ${times.length} pieces: ${mine.toFixed(4)} ms against ${whole.toFixed(2)} ms`,
  };
}

function growthShare(): BenchValue {
  incrementalTimes();
  const runs = Array.from({ length: 5 }, incrementalTimes);
  const quarter = Math.floor((runs[0]?.length ?? 0) / 4);
  const first = median(runs.map((times) => sum(times.slice(0, quarter))));
  const last = median(runs.map((times) => sum(times.slice(-quarter))));
  return { value: last / first, detail: `${last.toFixed(1)} ms against ${first.toFixed(1)} ms` };
}

function scriptSize(): BenchValue {
  if (!existsSync(ASSETS)) throw new Error('Build the page first: npm run build');
  const files = readdirSync(ASSETS).filter((name) => name.endsWith('.js.br'));
  const bytes = sum(files.map((name) => statSync(join(ASSETS, name)).size));
  return { value: bytes / 1024, detail: `${files.length} files, brotli` };
}

interface LongPage {
  readonly page: Page;
  readonly firstBlocksMs: number;
  readonly url: string;
}

/** Opens the session of 100,000 blocks in a new browser, measures, and closes everything. */
async function inLongPage(measure: (opened: LongPage) => Promise<BenchValue>): Promise<BenchValue> {
  const server = new FakeServer(longWorld());
  await server.start();
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--js-flags=--expose-gc'],
    });
    const page = await browser.newPage({ viewport: { width: 1400, height: 875 } });
    const started = performance.now();
    await page.goto(`${server.url}/s/robota/long#code=${server.newCode()}`);
    await page.locator('.row[data-ordinal="99999"]', { hasText: '99999' }).waitFor();
    const firstBlocksMs = performance.now() - started;
    return await measure({ page, firstBlocksMs, url: server.url });
  } finally {
    await browser?.close();
    await server.stop();
  }
}

async function scrollShare({ page }: LongPage): Promise<BenchValue> {
  const frames = (isScrolling: boolean) =>
    page.evaluate(async (scrolls) => {
      const box = document.querySelector('.conversation-scroll');
      const times: number[] = [];
      let last = performance.now();
      for (let frame = 0; frame < 240; frame++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        times.push(performance.now() - last);
        last = performance.now();
        if (!scrolls || !box) continue;
        box.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, bubbles: true }));
        box.scrollTop -= 120;
      }
      return times.sort((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? 0;
    }, isScrolling);
  const idle = await frames(false);
  const moving = await frames(true);
  return {
    value: moving / idle,
    detail: `p95 of a frame ${moving.toFixed(1)} ms against ${idle.toFixed(1)} ms`,
  };
}

async function heapSize({ page }: LongPage): Promise<BenchValue> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { value: usedSize / 1024 / 1024, detail: 'after a collection, 100,000 blocks' };
}

async function jumpDistance({ page, url }: LongPage): Promise<BenchValue> {
  const distances: number[] = [];
  for (const ordinal of [50_000, 10_001, 77_777]) {
    await page.goto(`${url}/s/robota/long?block=${ordinal}`);
    const row = page.locator(`.row[data-ordinal="${ordinal}"]`, { hasText: String(ordinal) });
    await row.waitFor();
    distances.push(await row.evaluate(distanceOnceStill));
  }
  return {
    value: Math.max(...distances),
    detail: distances.map((one) => one.toFixed(1)).join(', '),
  };
}

/** Distance of a row from its target, once it has not moved for ten frames. */
async function distanceOnceStill(element: Element): Promise<number> {
  let still = 0;
  let last = Number.NaN;
  while (still < 10) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const box = element.closest('.conversation-scroll');
    const top = element.getBoundingClientRect().top - (box?.getBoundingClientRect().top ?? 0);
    still = top === last ? still + 1 : 0;
    last = top;
  }
  return Math.abs(last - 8);
}

const BROWSER_ROWS: readonly BenchRow[] = [
  {
    name: 'first blocks of 100,000',
    unit: 'ms',
    target: 3000,
    measure: () =>
      inLongPage(async ({ firstBlocksMs }) => ({ value: firstBlocksMs, detail: 'new browser' })),
  },
  {
    name: 'scrolling 100,000 blocks, p95 of a frame against idle',
    unit: 'x',
    target: 2.5,
    measure: () => inLongPage(scrollShare),
  },
  {
    name: 'heap with 100,000 blocks',
    unit: 'MB',
    target: 40,
    measure: () => inLongPage(heapSize),
  },
  {
    name: 'jump to a block of 100,000, off by',
    unit: 'px',
    target: 10,
    measure: () => inLongPage(jumpDistance),
  },
];

const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) console.log(`NOT MEASURED: the page in a browser; no Chromium at ${CHROMIUM}.`);

export const rows: readonly BenchRow[] = [
  { name: 'script of the page, compressed', unit: 'KB', target: 200, measure: scriptSize },
  {
    name: 'streaming Markdown, one delta against parsing the full text',
    unit: 'x',
    target: 1 / 40,
    measure: incrementalShare,
  },
  {
    name: 'streaming Markdown, last quarter against first',
    unit: 'x',
    target: 1.2,
    measure: growthShare,
  },
  ...(hasBrowser ? BROWSER_ROWS : []),
];
