import type { ConversationBlock, ToolExecutionStatus } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { loadedBlocks } from '../../src/conversation/loaded-blocks.ts';
import { branchesByPlace, rowAt } from '../../src/conversation/row-plan.ts';

const timestamp = '2026-11-16T12:00:00.000Z';
const call = (
  id: string,
  toolName: string,
  status: ToolExecutionStatus = 'success',
): ConversationBlock => ({
  type: 'tool_use',
  id,
  timestamp,
  toolName,
  toolUseId: id,
  input: { file_path: `${id}.ts` },
  status,
});
const answer = (id: string): ConversationBlock => ({
  type: 'tool_result',
  id: `${id}-result`,
  timestamp,
  toolUseId: id,
  output: 'ok',
  isError: false,
});
const text = (id: string): ConversationBlock => ({
  type: 'assistant_text',
  id,
  timestamp,
  content: id,
});

function kinds(blocks: readonly ConversationBlock[]): string[] {
  const reader = loadedBlocks(blocks);
  return blocks.map((_, ordinal) => rowAt(reader, ordinal).kind);
}

describe('rows', () => {
  it('show a result with its call', () => {
    const blocks = [call('a', 'Bash'), answer('a')];

    expect(rowAt(loadedBlocks(blocks), 0)).toEqual({
      kind: 'block',
      block: blocks[0],
      result: blocks[1],
    });
    expect(kinds(blocks)).toEqual(['block', 'nothing']);
  });

  it('group consecutive quiet calls, and stop at anything else', () => {
    const blocks = [
      call('a', 'Read'),
      answer('a'),
      call('b', 'Grep'),
      answer('b'),
      text('c'),
      call('d', 'Read'),
      answer('d'),
      call('e', 'Bash'),
      answer('e'),
    ];

    expect(kinds(blocks)).toEqual([
      'group',
      'nothing',
      'nothing',
      'nothing',
      'block',
      'block',
      'nothing',
      'block',
      'nothing',
    ]);
  });

  it('show a failed or running read on its own', () => {
    expect(
      kinds([call('a', 'Read'), call('b', 'Read', 'error'), call('c', 'Read', 'running')]),
    ).toEqual(['block', 'block', 'block']);
  });

  it('show every call of a long run exactly once', () => {
    const blocks = Array.from({ length: 300 }, (_, index) => call(`c${index}`, 'Read'));
    const reader = loadedBlocks(blocks);
    const shown = blocks.flatMap((_, ordinal) => {
      const row = rowAt(reader, ordinal);
      if (row.kind === 'group') return row.calls.map(({ block }) => block.id);
      return row.kind === 'block' ? [row.block.id] : [];
    });

    expect(shown).toEqual(blocks.map(({ id }) => id));
  });

  it('show a result whose call is missing', () => {
    expect(kinds([answer('lost')])).toEqual(['block']);
  });

  it('wait for blocks that have not been fetched', () => {
    const reader = { total: 2, at: () => undefined, resultOf: () => undefined };

    expect(rowAt(reader, 1)).toEqual({ kind: 'loading' });
  });
});

it('finds rewound parts by the block they followed', () => {
  const branch = { reason: 'rewind', afterBlockId: 'a', blocks: [text('x')] } as const;
  const other = { ...branch, conversationId: 'sub' };

  const places = branchesByPlace([branch, other], 'main');

  expect(places.get('a')).toEqual([branch]);
});
