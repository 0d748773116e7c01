import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { FakeServer, type FakeWorld } from './fake-server.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-precise-memory-info',
  '--js-flags=--expose-gc',
];

export interface OpenPage {
  readonly page: Page;
  /** Unexpected console messages, and requests to other hosts. */
  readonly problems: string[];
  /** URLs of all requests. */
  readonly addresses: string[];
}

/** A server of the page, and a function to create one-time codes. */
export interface PageServer {
  readonly url: string;
  newCode(): string | Promise<string>;
}

export interface BrowserUse {
  serve(world: FakeWorld): Promise<FakeServer>;
  open(server: PageServer, path: string, options?: BrowserContextOptions): Promise<OpenPage>;
}

/** One browser per test file; servers and pages are closed after each test. */
export function browserForTests(): BrowserUse {
  let browser: Browser;
  const cleanups: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.ROBOTA_CHROMIUM ?? '/usr/bin/chromium',
      args: FLAGS,
    });
  });
  afterEach(async () => {
    for (const work of cleanups.splice(0).reverse()) await work();
  });
  afterAll(() => browser.close());
  return {
    async serve(world) {
      const server = new FakeServer(world);
      await server.start();
      cleanups.push(() => server.stop());
      return server;
    },
    async open(server, path, options) {
      const context = await browser.newContext({
        viewport: { width: 1400, height: 875 },
        reducedMotion: 'reduce',
        ...options,
      });
      cleanups.push(() => context.close());
      const page = await context.newPage();
      const opened: OpenPage = { page, problems: [], addresses: [] };
      watch(opened, server);
      await page.goto(`${server.url}${path}#code=${await server.newCode()}`);
      return opened;
    },
  };
}

function watch({ page, problems, addresses }: OpenPage, server: PageServer): void {
  page.on('console', (message) => {
    const isExpected =
      /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE/.test(
        message.text(),
      );
    if (message.type() === 'error' && !isExpected) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    addresses.push(request.url());
    const isOurs = request.url().startsWith(server.url) || request.url().startsWith('data:');
    if (!isOurs && !request.url().startsWith('blob:')) problems.push(`outside: ${request.url()}`);
  });
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Violations found by axe-core; the page's CSP is bypassed for the checker only. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axePath, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: AxeViolation[] }> };
    };
    interface AxeViolation {
      id: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`,
      ),
    );
  });
}

/** Saves a screenshot for manual review when `ROBOTA_PICTURES` is set. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.ROBOTA_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
