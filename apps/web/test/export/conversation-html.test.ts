import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { conversationHtml } from '../../src/export/conversation-html.tsx';

const timestamp = '2026-11-16T12:00:00.000Z';
const says = (id: string, content: string): ConversationBlock => ({
  type: 'assistant_text',
  id,
  timestamp,
  content,
});
const file = (blocks: readonly ConversationBlock[], title = 'A title') =>
  [
    ...conversationHtml(
      {
        blocks,
        subagents: [{ id: 'sub1', blocks: [says('s', 'from the subagent')] }],
        superseded: [{ reason: 'rewind', afterBlockId: 'a', blocks: [says('gone', 'taken back')] }],
      },
      { title, facts: ['Robota', 'relay'], styles: 'body{color:red}</style><script>' },
    ),
  ].join('');

describe('an exported conversation', () => {
  it('contains the whole conversation, collapsed or not', () => {
    const html = file([
      says('a', '# Hello'),
      { type: 'thinking', id: 't', timestamp, content: 'long thought' },
      { type: 'subagent', id: 'x', timestamp, subagentId: 'sub1', input: 'go', status: 'success' },
    ]);

    for (const text of [
      'Hello',
      'long thought',
      'taken back',
      'from the subagent',
      'Robota · relay',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toContain('href="#thread-sub1"');
    expect(html).toContain('id="thread-sub1"');
  });

  it('has no scripts and makes no requests', () => {
    const html = file(
      [says('a', '<script>x</script> ![i](https://e.invalid/i.png)')],
      '</title><script>',
    );

    expect(html.replace(/<style>.*?<\/style>/s, '')).not.toContain('<script');
    expect(html).toContain('default-src &#x27;none&#x27;');
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(html).not.toMatch(/(?:src|href)="https?:/);
  });

  it('collapses long output but contains all of it', () => {
    const output = Array.from({ length: 300 }, (_, index) => `line ${index} of it`).join('\n');
    const html = file([
      {
        type: 'tool_use',
        id: 'c',
        timestamp,
        toolUseId: 'c',
        toolName: 'Bash',
        input: { command: 'make' },
        status: 'success',
      },
      { type: 'tool_result', id: 'r', timestamp, toolUseId: 'c', output, isError: false },
    ]);

    expect(html).toContain('Show all 300 lines');
    expect(html).toMatch(/<details class="fold tool-whole">.*line 0 of it/s);
    expect(html.indexOf('line 299 of it')).toBeLessThan(html.indexOf('line 0 of it'));
  });

  it('is generated in chunks', () => {
    const pieces = [
      ...conversationHtml(
        { blocks: [says('a', 'one'), says('b', 'two')], subagents: [], superseded: [] },
        { title: 'T', styles: '' },
      ),
    ];

    expect(pieces.length).toBeGreaterThan(3);
  });
});
