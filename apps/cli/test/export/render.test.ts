import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import type { ExportedSession } from '../../src/export/exported-session.ts';
import { renderHtml } from '../../src/export/render-html.ts';
import { renderMarkdown } from '../../src/export/render-markdown.ts';

const timestamp = '2026-01-02T03:04:05.000Z';

const session: ExportedSession = {
  id: 'abc',
  agent: 'robota',
  name: 'fix <login>',
  cwd: '/home/me/app',
  updatedAt: timestamp,
  blocks: [
    { id: '1', timestamp, type: 'user_message', content: [{ type: 'text', text: 'Read a.ts' }] },
    { id: '2', timestamp, type: 'thinking', content: 'First\nthen' },
    {
      id: '3',
      timestamp,
      type: 'tool_use',
      toolName: 'Read',
      toolUseId: 't1',
      input: { filePath: 'a.ts' },
      status: 'success',
    },
    {
      id: '4',
      timestamp,
      type: 'tool_result',
      toolUseId: 't1',
      output: 'has ``` inside',
      isError: false,
    },
    { id: '5', timestamp, type: 'assistant_text', content: 'Done & <b>dusted</b>.' },
  ],
  subagents: [
    {
      id: 'sub',
      blocks: [{ id: 's1', timestamp, type: 'system', subtype: 'status', message: 'started' }],
    },
  ],
};

describe('renderMarkdown', () => {
  it('writes every block under a heading, code in a fence nothing inside can end', () => {
    expect(renderMarkdown(session)).toBe(`# fix <login>

- Session: \`abc\`
- Agent: robota
- Directory: \`/home/me/app\`
- Last activity: ${timestamp}

### User

Read a.ts

### Thinking

> First
> then

### Read a.ts

\`\`\`\`
has \`\`\` inside
\`\`\`\`

### Assistant

Done & <b>dusted</b>.

## Subagent sub

### System

> started
`);
  });
});

describe('renderHtml', () => {
  it('escapes what was said and loads nothing from elsewhere', () => {
    const page = renderHtml(session);

    expect(page).toContain('<title>fix &lt;login&gt;</title>');
    expect(page).toContain('Done &amp; &lt;b&gt;dusted&lt;/b&gt;.');
    expect(page).not.toMatch(/<script|<b>|src=|href=/);
  });

  it('shows a section for each block of the main conversation and of the threads, a result with its call', () => {
    const shown = (blocks: readonly ConversationBlock[]) =>
      blocks.filter(({ type }) => type !== 'tool_result').length;

    expect(renderHtml(session).match(/<section/g)).toHaveLength(
      shown(session.blocks) +
        session.subagents.reduce((sum, thread) => sum + shown(thread.blocks), 0),
    );
  });

  it('renders what was said as Markdown, and changes line by line', () => {
    const page = renderHtml({ ...session, blocks: [said, edit, edited] });

    for (const html of [
      '<h3>Plan</h3>',
      '<li>one <strong>two</strong> <code>x &lt; y</code></li>',
      '<td>1</td>',
      '<a href="https://a.example" rel="noreferrer noopener">docs</a>',
      'click',
      '[image: cat]',
      '<del>-old</del>',
      '<ins>+new</ins>',
    ]) {
      expect(page).toContain(html);
    }
    expect(page).not.toMatch(/javascript:|<img|onerror=(?!.*&)/);
  });

  it('shows no JSON of a call or its result', () => {
    const call = { ...edit, toolName: 'mcp__db__query', input: { where: { id: 1 } } };
    const result = { ...edited, output: '{"rows":[{"id":1}]}' };
    const texts = [renderHtml, renderMarkdown].map((render) =>
      render({ ...session, blocks: [call, result] }),
    );

    for (const text of texts) expect(text).not.toMatch(/\{"|&quot;/);
    expect(texts[1]).toContain('rows:\n  - id: 1');
  });
});

const said = {
  id: '6',
  timestamp,
  type: 'assistant_text',
  content:
    '# Plan\n\n- one **two** `x < y`\n\n|a|\n|-|\n|1|\n\n[docs](https://a.example) [click](javascript:alert(1)) ![cat](http://x/y.png)',
} as const;

const edit = {
  id: '7',
  timestamp,
  type: 'tool_use',
  toolName: 'Edit',
  toolUseId: 't2',
  input: { filePath: 'a.ts', oldString: 'old', newString: 'new' },
  status: 'success',
} as const;

const edited = {
  id: '8',
  timestamp,
  type: 'tool_result',
  toolUseId: 't2',
  output: '{"success":true,"output":"Replaced 1 occurrence(s) in a.ts","startLine":3}',
  isError: false,
} as const;
