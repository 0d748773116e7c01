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
  superseded: [],
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
  it('escapes what was said, runs nothing and loads nothing from elsewhere', () => {
    const page = renderHtml(session);

    expect(page).toContain('<title>fix &lt;login&gt;</title>');
    expect(page).toContain('Done &amp; &lt;b&gt;dusted&lt;/b&gt;.');
    expect(page).not.toMatch(/<script|<b>|src=|<link/);
  });

  it('looks like the page: its styles, Markdown as elements, changes line by line', () => {
    const page = renderHtml({ ...session, blocks: [said, edit, edited] });

    expect(page).toContain('light-dark(');
    for (const html of ['Plan</h', '<strong>two</strong>', '>1</td>', '>docs</a>', 'old', 'new']) {
      expect(page).toContain(html);
    }
    expect(page).not.toMatch(/(?:href|src)="javascript:|<img/);
  });

  it('is written with no JSON of a call or its result in Markdown', () => {
    const call = { ...edit, toolName: 'mcp__db__query', input: { where: { id: 1 } } };
    const result = { ...edited, output: '{"rows":[{"id":1}]}' };

    const text = renderMarkdown({ ...session, blocks: [call, result] });

    expect(text).not.toMatch(/\{"/);
    expect(text).toContain('rows:\n  - id: 1');
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
