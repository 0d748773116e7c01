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

### Tool: Read

\`\`\`
{
  "filePath": "a.ts"
}
\`\`\`

### Result

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
    expect(page).not.toMatch(/<script|src=|href=/);
  });

  it('shows a section for each block of the main conversation and of the threads', () => {
    const count = (blocks: readonly ConversationBlock[]) => blocks.length;

    expect(renderHtml(session).match(/<section/g)).toHaveLength(
      count(session.blocks) +
        session.subagents.reduce((sum, thread) => sum + count(thread.blocks), 0),
    );
  });
});
