import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BraveWebSearch, createWebSearchTool, webSearchTool } from '@robota-sdk/agent-tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../call.ts';

let server: Server;
let baseUrl = '';
const asked: unknown[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    asked.push([
      url.pathname,
      Object.fromEntries(url.searchParams),
      request.headers['x-subscription-token'],
    ]);
    if (url.searchParams.get('q') === 'too much') response.writeHead(429).end();
    else if (url.searchParams.get('q') === 'silence') return;
    else
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          web: {
            results: [
              {
                title: 'A &amp; B',
                url: 'https://a.example/',
                description: 'The <strong>first</strong>',
              },
              { title: 'C', url: 'https://c.example/', description: 'second' },
            ],
          },
        }),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const tool = (timeoutMs = 5_000) =>
  createWebSearchTool({ search: new BraveWebSearch({ apiKey: 'key', baseUrl }), timeoutMs });

describe('WebSearch', () => {
  it('returns titles, addresses and snippets', async () => {
    const { output } = await call(tool(), { query: 'first' });

    expect(JSON.parse(output)).toEqual([
      { title: 'A & B', url: 'https://a.example/', snippet: 'The first' },
      { title: 'C', url: 'https://c.example/', snippet: 'second' },
    ]);
    expect(asked).toContainEqual(['/res/v1/web/search', { q: 'first', count: '10' }, 'key']);
  });

  it('limits results to what the service supports and the call requests', async () => {
    await call(tool(), { query: 'many', limit: 50 });
    const { output } = await call(tool(), { query: 'one', limit: 1 });

    expect(asked).toContainEqual(['/res/v1/web/search', { q: 'many', count: '20' }, 'key']);
    expect(JSON.parse(output).length).toBe(1);
  });

  it('says why a search failed', async () => {
    expect((await call(tool(), { query: 'too much' })).error).toBe(
      'Web search failed: HTTP 429 Too Many Requests',
    );
    expect((await call(tool(50), { query: 'silence' })).error).toBe(
      'Web search timed out after 50ms',
    );
  });

  it('tells the model that a key is missing', async () => {
    const before = process.env.BRAVE_API_KEY;
    delete process.env.BRAVE_API_KEY;
    try {
      expect(await call(webSearchTool, { query: 'x' })).toEqual({
        success: false,
        output: '',
        error:
          'Web search requires BRAVE_API_KEY environment variable. Get a free API key at https://brave.com/search/api/ (2,000 queries/month free).',
      });
    } finally {
      if (before !== undefined) process.env.BRAVE_API_KEY = before;
    }
  });
});
