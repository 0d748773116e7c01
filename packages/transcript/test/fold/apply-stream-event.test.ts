import {
  applyStreamEvent,
  type ConversationBlock,
  type ConversationState,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';

const timestamp = '2026-01-01T00:00:00.000Z';

describe('applyStreamEvent', () => {
  it('follows the flow of a reply with a tool: text, tool, result, totals', () => {
    const state = fold(
      start(text('txt-1', '')),
      delta('txt-1', "I'll"),
      delta('txt-1', ' read'),
      delta('txt-1', ' the file'),
      complete(text('txt-1', "I'll read the file")),
      start(tool('tool-1', 'pending')),
      update('tool-1', { status: 'running' }),
      complete(tool('tool-1', 'success')),
      complete(result('tool-1')),
      {
        type: 'metadata_update',
        metadata: { usage: { inputTokens: 100, outputTokens: 5, totalTokens: 105 }, costUSD: 0.05 },
        conversationId: 'main',
      },
    );

    expect(state).toEqual({
      blocks: [text('txt-1', "I'll read the file"), tool('tool-1', 'success'), result('tool-1')],
      subagents: [],
      superseded: [],
      metadata: { usage: { inputTokens: 100, outputTokens: 5, totalTokens: 105 }, costUSD: 0.05 },
    });
  });

  it('shows text as it arrives and a tool while it runs', () => {
    const state = fold(
      start(text('a', '')),
      delta('a', 'Hel'),
      delta('a', 'lo'),
      start(tool('t', 'pending')),
      update('t', { status: 'running' }),
    );

    expect(state.blocks).toEqual([text('a', 'Hello'), tool('t', 'running')]);
  });

  it('does not modify the given state', () => {
    const before = fold(start(text('a', 'x')));
    const copy = structuredClone({ ...before });

    applyStreamEvent(before, delta('a', 'y'));
    applyStreamEvent(before, complete(text('b', 'new')));

    expect({ ...before }).toEqual(copy);
  });

  it('derives two independent states from one', () => {
    const past = fold(complete(text('a', '1')));

    const left = fold1(past, complete(text('left', 'L')), complete(text('both', 'l')));
    const right = fold1(past, complete(text('both', 'r')), complete(text('right', 'R')));
    const rightAgain = fold1(right, delta('both', '!'));
    const leftAgain = fold1(left, delta('both', '?'));

    expect(ids(leftAgain)).toEqual(['a', 'left', 'both']);
    expect(leftAgain.blocks[2]).toEqual(text('both', 'l?'));
    expect(ids(rightAgain)).toEqual(['a', 'both', 'right']);
    expect(rightAgain.blocks[1]).toEqual(text('both', 'r!'));
  });

  it('continues from a parsed or transferred state, which is a plain object', () => {
    const plain = JSON.parse(JSON.stringify(fold(start(text('a', 'x'))))) as ConversationState;

    expect(applyStreamEvent(plain, delta('a', 'y')).blocks).toEqual([text('a', 'xy')]);
  });

  it('ignores unknown blocks and unknown events', () => {
    const state = fold(complete(text('a', '1')));

    expect(applyStreamEvent(state, delta('nobody', 'x'))).toBe(state);
    expect(applyStreamEvent(state, update('nobody', { status: 'running' }))).toBe(state);
    expect(applyStreamEvent(state, { type: 'later' } as unknown as StreamEvent)).toBe(state);
    expect(applyStreamEvent(fold(complete(result('t'))), delta('t:result', 'x')).blocks).toEqual([
      result('t'),
    ]);
  });

  it('applies events to their thread', () => {
    const state = fold(
      complete(text('m', 'main')),
      { ...complete(text('s', 'sub')), conversationId: 'agent-1' },
      { ...delta('s', 'way'), conversationId: 'agent-1' },
    );

    expect(state.blocks).toEqual([text('m', 'main')]);
    expect(state.subagents).toEqual([{ id: 'agent-1', blocks: [text('s', 'subway')] }]);
  });

  it("moves a subagent's thread to its own id once known, and accepts both ids afterwards", () => {
    const state = fold(
      start(subagent('toolu_1', 'toolu_1')),
      { ...complete(text('a', 'first')), conversationId: 'toolu_1' },
      update('subagent:toolu_1', { subagentId: 'abc' }),
      { ...complete(text('b', 'second')), conversationId: 'toolu_1' },
      { ...complete(text('c', 'third')), conversationId: 'abc' },
    );

    expect(state.subagents).toEqual([
      { id: 'abc', blocks: [text('a', 'first'), text('b', 'second'), text('c', 'third')] },
    ]);
    expect(state.blocks).toEqual([subagent('toolu_1', 'abc')]);
  });

  it('knows both ids of a subagent after a state was transferred', () => {
    const before = fold(start(subagent('toolu_1', 'abc')), {
      ...complete(text('a', 'x')),
      conversationId: 'abc',
    });
    const plain = JSON.parse(JSON.stringify(before)) as ConversationState;

    const after = applyStreamEvent(plain, { ...delta('a', 'y'), conversationId: 'toolu_1' });

    expect(after.subagents).toEqual([{ id: 'abc', blocks: [text('a', 'xy')] }]);
  });

  it.each([
    ['first to last', ['b', 'c']],
    ['last to first', ['c', 'b']],
  ])('keeps a superseded branch in its order, emitted %s', (_, order) => {
    const state = fold(
      complete(text('a', '1')),
      complete(text('b', '2')),
      complete(text('c', '3')),
      ...order.map((id) => update(id, { superseded: 'retry' })),
      complete(text('d', '4')),
    );

    expect(state.blocks).toEqual([text('a', '1'), text('d', '4')]);
    expect(state.superseded).toEqual([
      { reason: 'retry', afterBlockId: 'a', blocks: [text('b', '2'), text('c', '3')] },
    ]);
  });

  it('names the thread of a superseded branch outside the main conversation', () => {
    const state = fold(
      { ...complete(text('s', 'x')), conversationId: 'agent-1' },
      { ...update('s', { superseded: 'rewind' }), conversationId: 'agent-1' },
    );

    expect(state.superseded).toEqual([
      { reason: 'rewind', afterBlockId: null, conversationId: 'agent-1', blocks: [text('s', 'x')] },
    ]);
  });

  it('restores a superseded block under its id', () => {
    const state = fold(
      complete(text('a', '1')),
      update('a', { superseded: 'retry' }),
      complete(text('a', '2')),
    );

    expect(state.blocks).toEqual([text('a', '2')]);
  });
});

function fold(...events: StreamEvent[]): ConversationState {
  return fold1(EMPTY_CONVERSATION, ...events);
}

function fold1(state: ConversationState, ...events: StreamEvent[]): ConversationState {
  return events.reduce(applyStreamEvent, state);
}

function ids(state: ConversationState): string[] {
  return state.blocks.map((block) => block.id);
}

function start(block: ConversationBlock): StreamEvent {
  return { type: 'block_start', block, conversationId: 'main' };
}

function complete(block: ConversationBlock): StreamEvent {
  return { type: 'block_complete', blockId: block.id, block, conversationId: 'main' };
}

function delta(blockId: string, more: string): StreamEvent {
  return { type: 'text_delta', blockId, delta: more, conversationId: 'main' };
}

function update(blockId: string, updates: object): StreamEvent {
  return { type: 'block_update', blockId, updates, conversationId: 'main' };
}

function text(id: string, content: string): ConversationBlock {
  return { type: 'assistant_text', id, timestamp, content };
}

function tool(id: string, status: 'pending' | 'running' | 'success'): ConversationBlock {
  return { type: 'tool_use', id, timestamp, toolName: 'Read', toolUseId: id, input: {}, status };
}

function result(toolUseId: string): ConversationBlock {
  const id = `${toolUseId}:result`;
  return { type: 'tool_result', id, timestamp, toolUseId, output: '{}', isError: false };
}

function subagent(toolUseId: string, subagentId: string): ConversationBlock {
  const id = `subagent:${toolUseId}`;
  return { type: 'subagent', id, timestamp, subagentId, input: 'Go', status: 'running', toolUseId };
}
