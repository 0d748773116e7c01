import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { LiveRows } from '../../src/conversation/live-rows.ts';
import { loadedBlocks } from '../../src/conversation/loaded-blocks.ts';

const text = (id: string, content: string): ConversationBlock => ({
  type: 'assistant_text',
  id,
  timestamp: '',
  content,
});

function keys(rows: ReturnType<LiveRows['rows']>): string[] {
  return Array.from({ length: rows.length }, (_, index) => rows.at(index).key);
}

describe('rows of a live conversation', () => {
  it('are the blocks while nothing streams', () => {
    const rows = new LiveRows().rows(
      loadedBlocks([text('a', 'x\n\ny'), text('b', 'z')]),
      undefined,
    );

    expect(keys(rows)).toEqual(['b0', 'b1']);
  });

  it('split a streaming answer, keep it split, and map blocks to rows', () => {
    const live = new LiveRows();
    const growing = text('b', 'one\n\ntwo');
    const first = live.rows(loadedBlocks([text('a', 'x\n\ny'), growing]), growing);
    expect(keys(first)).toEqual(['b0', 'b1.0', 'b1.1']);
    expect(first.at(2)).toMatchObject({ kind: 'token', isOpen: true });

    const after = live.rows(loadedBlocks([text('a', 'x'), growing, text('c', 'end')]), undefined);

    expect(keys(after)).toEqual(['b0', 'b1.0', 'b1.1', 'b2']);
    expect(after.at(2)).toMatchObject({ isOpen: false });
    expect([0, 1, 2].map((ordinal) => after.indexOf(ordinal))).toEqual([0, 1, 3]);
  });
});
