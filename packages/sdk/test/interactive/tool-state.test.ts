import { describe, expect, it } from 'vitest';
import { diffLines } from '../../src/interactive/line-diff.ts';
import { firstArgumentOf } from '../../src/interactive/tool-state.ts';
import { ToolTracker } from '../../src/interactive/tool-tracker.ts';

describe('the first argument of a call', () => {
  it.each([
    [{ command: 'ls' }, 'ls'],
    [{ edits: [1, 2] }, '[1,2]'],
    [{}, ''],
    [{ nothing: null }, ''],
    [{ text: `${'a'.repeat(60)}${'b'.repeat(40)}` }, `${'a'.repeat(47)}...${'b'.repeat(30)}`],
  ])('of %j', (toolArgs, shown) => {
    expect(firstArgumentOf(toolArgs)).toBe(shown);
  });
});

describe('the tracker', () => {
  it('shows a failure that a tool reports inside a successful envelope', () => {
    const tracker = new ToolTracker('/work');
    tracker.start({ type: 'start', toolName: 'Read', toolCallId: '1', toolArgs: {} });

    const ended = tracker.end({
      type: 'end',
      toolName: 'Read',
      toolCallId: '1',
      success: true,
      toolResultData: '{"success":false,"output":"","error":"File not found: x"}',
    });

    expect(ended.result).toBe('error');
  });

  it('keeps the last fifty calls and every running one', () => {
    const tracker = new ToolTracker('/work');
    tracker.start({ type: 'start', toolName: 'Slow', toolCallId: 'slow' });

    for (let call = 0; call < 60; call++) {
      const toolCallId = String(call);
      tracker.start({ type: 'start', toolName: 'Quick', toolCallId });
      tracker.end({ type: 'end', toolName: 'Quick', toolCallId, success: true });
    }

    const ids = tracker.active().map(({ toolCallId }) => toolCallId);
    expect(ids).toHaveLength(50);
    expect([ids[0], ids.at(-1)]).toEqual(['slow', '59']);
    expect(tracker.finished()).toHaveLength(60);
  });

  it('matches calls without ids by name', () => {
    const tracker = new ToolTracker('/work');
    tracker.start({ type: 'start', toolName: 'Read', toolArgs: { filePath: 'a' } });

    const ended = tracker.end({ type: 'end', toolName: 'Read', success: false, denied: true });

    expect(ended).toEqual({ toolName: 'Read', firstArg: 'a', isRunning: false, result: 'denied' });
  });
});

describe('a diff', () => {
  it('keeps shared lines as context between the changes', () => {
    const lines = diffLines({
      before: ['a', 'b', 'c', 'd'],
      after: ['a', 'B', 'c', 'd', 'e'],
      start: 10,
      leading: [],
      trailing: ['z'],
    });

    expect(lines.map(({ type, lineNumber, text }) => `${type} ${lineNumber} ${text}`)).toEqual([
      'hunk 10 @@ -10,5 +10,6 @@',
      'context 10 a',
      'remove 11 b',
      'add 11 B',
      'context 12 c',
      'context 13 d',
      'add 14 e',
      'context 15 z',
    ]);
  });

  it('of something huge is shown as replaced whole, at once', () => {
    const before = Array.from({ length: 5_000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 5_000 }, (_, index) => `new ${index}`);

    const lines = diffLines({ before, after, start: 1, leading: [], trailing: [] });

    expect(lines).toHaveLength(10_001);
  });
});
