import { type ConversationBlock, reconcileBlocks } from '@robota-sdk/agent-transcript';
import { expect, it } from 'vitest';

const timestamp = '2026-01-01T00:00:00.000Z';

it('maps ids that are the same to themselves and live numbers to the blocks that say the same', () => {
  const live = [said('live:main:1', 'Hello'), tool('t1'), said('live:main:2', 'Bye')];
  const parsed = [said('p0', 'A prompt'), said('p1', 'Hello'), tool('t1'), said('p2', 'Bye')];

  expect(Object.fromEntries(reconcileBlocks(live, parsed))).toEqual({
    'live:main:1': 'p1',
    t1: 't1',
    'live:main:2': 'p2',
  });
});

it('matches blocks that say the same in their order, and leaves out what has no counterpart', () => {
  const live = [said('l1', 'Again'), said('l2', 'Again'), said('l3', 'Unwritten')];
  const parsed = [said('p1', 'Again'), said('p2', 'Again')];

  expect([...reconcileBlocks(live, parsed)]).toEqual([
    ['l1', 'p1'],
    ['l2', 'p2'],
  ]);
});

function said(id: string, content: string): ConversationBlock {
  return { type: 'assistant_text', id, timestamp, content };
}

function tool(id: string): ConversationBlock {
  const status = id === 't1' ? 'running' : 'success';
  return { type: 'tool_use', id, timestamp, toolName: 'Read', toolUseId: id, input: {}, status };
}
