import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { BlockPages } from '../../src/conversation/block-pages.ts';

const blockAt = (ordinal: number): ConversationBlock => ({
  type: 'assistant_text',
  id: `b${ordinal}`,
  timestamp: '2026-11-16T12:00:00.000Z',
  content: `${ordinal}`,
});

function pagesOf(total: number) {
  const asked: number[] = [];
  const problems: unknown[] = [];
  const pages = new BlockPages({
    total,
    fetchPage: async (from, limit) => {
      asked.push(from);
      if (from === 400) throw new Error('no page 400');
      const count = Math.min(limit, total - from);
      return { total, from, blocks: Array.from({ length: count }, (_, at) => blockAt(from + at)) };
    },
    onProblem: (error) => problems.push(error),
  });
  return { pages, asked, problems };
}

function changed(pages: BlockPages): Promise<void> {
  return new Promise((resolve) => {
    const leave = pages.subscribe(() => {
      leave();
      resolve();
    });
  });
}

describe('pages of blocks', () => {
  it('fetches only what is needed, each page once', async () => {
    const { pages, asked } = pagesOf(100_000);
    const arrived = changed(pages);

    pages.need(50_010, 50_020);
    pages.need(50_000, 50_030);
    await arrived;

    expect(asked).toEqual([50_000]);
    expect(pages.at(50_010)).toEqual(blockAt(50_010));
    expect(pages.at(49_999)).toBeUndefined();
  });

  it('reports a failed fetch, and retries when needed again', async () => {
    const { pages, asked, problems } = pagesOf(1000);
    pages.need(400, 410);
    await expect.poll(() => problems.length).toBe(1);

    pages.need(400, 410);

    expect(asked).toEqual([400, 400]);
  });

  it('drops the least recently used page', async () => {
    const { pages } = pagesOf(100_000);
    for (let page = 0; page < 60; page++) {
      if (page === 2) continue;
      const arrived = changed(pages);
      pages.need(page * 200, page * 200);
      await arrived;
    }

    expect(pages.at(0)).toBeUndefined();
    expect(pages.at(59 * 200)).toEqual(blockAt(59 * 200));
  });
});
