import { type ConversationBlock, reconcileBlocks } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';

const timestamp = '2026-01-01T00:00:00.000Z';

describe('reconcileBlocks', () => {
  it('maps a block with a known id to itself', () => {
    const block = text('m1:0', 'Hi.');

    expect(Object.fromEntries(reconcileBlocks([block], [block]))).toEqual({ 'm1:0': 'm1:0' });
  });

  it('maps texts by content, in order, ignoring surrounding white space', () => {
    const live = [
      text('live:main:0', 'Hi. '),
      text('live:main:1', 'Hi.'),
      text('live:main:2', 'No.'),
    ];
    const parsed = [text('a', 'Hi.'), text('b', 'Hi.')];

    expect(Object.fromEntries(reconcileBlocks(live, parsed))).toEqual({
      'live:main:0': 'a',
      'live:main:1': 'b',
    });
  });

  it('maps calls by input, even with other field names and in another order', () => {
    const live = [use('live:main:0', { command: 'ls' }), use('live:main:1', { command: 'cat a' })];
    const parsed = [use('call_1', { cmd: 'cat a' }), use('call_2', { cmd: 'ls' })];

    expect(Object.fromEntries(reconcileBlocks(live, parsed))).toEqual({
      'live:main:0': 'call_2',
      'live:main:1': 'call_1',
    });
  });

  it('maps results with their calls', () => {
    const live = [use('live:main:0', { command: 'ls' }), result('live:main:0', 'a\n')];
    const parsed = [use('call_1', { cmd: 'ls' }), result('call_1', 'Output:\na\n')];

    expect(Object.fromEntries(reconcileBlocks(live, parsed))).toEqual({
      'live:main:0': 'call_1',
      'live:main:0:result': 'call_1:result',
    });
  });

  it('never maps two live blocks to the same block', () => {
    const live = [text('live:main:0', 'Hi.'), text('live:main:1', 'Hi.')];

    const ids = [...reconcileBlocks(live, [text('a', 'Hi.')]).values()];

    expect(ids).toEqual(['a']);
  });

  it('prefers the end of the transcript when earlier turns are equal', () => {
    const parsed = [text('old', 'Done.'), text('between', 'More?'), text('new', 'Done.')];

    expect([...reconcileBlocks([text('live:main:0', 'Done.')], parsed)]).toEqual([
      ['live:main:0', 'new'],
    ]);
  });

  it('keeps the order of the live blocks and shared ids', () => {
    const live = [text('l1', 'Again'), use('t1', {}), text('l2', 'Again'), text('l3', 'Unwritten')];
    const parsed = [
      text('p0', 'A prompt'),
      text('p1', 'Again'),
      use('t1', {}),
      text('p2', 'Again'),
    ];

    expect([...reconcileBlocks(live, parsed)]).toEqual([
      ['l1', 'p1'],
      ['t1', 't1'],
      ['l2', 'p2'],
    ]);
  });

  it('maps subagents by id', () => {
    const live = agent('subagent:live:main:0', 'agent-1');

    expect(reconcileBlocks([live], [agent('subagent:c1', 'agent-1')]).get(live.id)).toBe(
      'subagent:c1',
    );
  });
});

function text(id: string, content: string): ConversationBlock {
  return { type: 'assistant_text', id, timestamp, content };
}

function use(id: string, input: Readonly<Record<string, unknown>>): ConversationBlock {
  const call = { toolName: 'exec_command', toolUseId: id, input, status: 'success' } as const;
  return { type: 'tool_use', id, timestamp, ...call };
}

function result(toolUseId: string, output: string): ConversationBlock {
  const id = `${toolUseId}:result`;
  return { type: 'tool_result', id, timestamp, toolUseId, output, isError: false };
}

function agent(id: string, subagentId: string): ConversationBlock {
  return { type: 'subagent', id, timestamp, subagentId, input: 'go', status: 'success' };
}
