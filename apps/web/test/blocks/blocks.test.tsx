import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { BlockView } from '../../src/blocks/block-view.tsx';
import { plainOutput } from '../../src/blocks/plain-output.ts';
import { SetAside } from '../../src/blocks/set-aside.tsx';
import { groupLabel, ToolGroup } from '../../src/blocks/tool-group.tsx';

const timestamp = '2026-11-16T12:00:00.000Z';
const edit = {
  type: 'tool_use',
  id: 'e',
  timestamp,
  toolName: 'Edit',
  toolUseId: 'e',
  input: { file_path: 'src/a.ts', old_string: 'let count = 1;', new_string: 'let count = 2;' },
  status: 'success',
} as const;

const html = (block: ConversationBlock, extra = {}) =>
  renderToStaticMarkup(<BlockView block={block} {...extra} />);

describe('blocks', () => {
  it('show edits open, with their diff', () => {
    const shown = html(edit);

    expect(shown).toContain('<details class="fold tool" open="">');
    expect(shown).toContain('let count = <mark>1</mark>;');
    expect(shown).toContain('<span class="good">+1</span> <span class="bad">−1</span>');
  });

  it('show quiet calls collapsed, without their output', () => {
    const read = { ...edit, toolName: 'Read', input: { file_path: 'a.ts' } };
    const result = {
      type: 'tool_result',
      id: 'r',
      timestamp,
      toolUseId: 'e',
      output: 'SECRET',
      isError: false,
    };

    expect(html(read, { result })).not.toContain('SECRET');
  });

  it('show the last lines of a failed command, and a button for the rest', () => {
    const bash = {
      ...edit,
      toolName: 'Bash',
      input: { command: 'make' },
      status: 'error',
    } as const;
    const output = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    const result = {
      type: 'tool_result',
      id: 'r',
      timestamp,
      toolUseId: 'e',
      output,
      isError: true,
    };

    const shown = html(bash, { result });

    expect(shown).toContain('line 39');
    expect(shown).not.toContain('line 3\n');
    expect(shown).toContain('Show all 40 lines');
    expect(shown).toContain('tool-output-bad');
  });

  it('collapse thinking to one line', () => {
    const shown = html({ type: 'thinking', id: 't', timestamp, content: 'because' });

    expect(shown).toMatch(/<details class="fold thinking"><summary>.*Thought.*because/s);
    expect(shown).not.toContain('class="thought"');
  });

  it('show inline images, and no others', () => {
    const picture = (mediaType: string, data: string): ConversationBlock => ({
      type: 'user_message',
      id: 'u',
      timestamp,
      content: [{ type: 'image', source: { type: 'base64', data, mediaType } }],
    });

    expect(html(picture('image/png', 'iVBORw0KGgo='))).toContain(
      'src="data:image/png;base64,iVBOR',
    );
    expect(html(picture('image/svg+xml', 'PHN2Zz4='))).not.toContain('<img');
    expect(html(picture('image/png', '"><script>'))).not.toContain('<img');
  });

  it('link to the thread of a subagent', () => {
    const subagent: ConversationBlock = {
      type: 'subagent',
      id: 's',
      timestamp,
      subagentId: 'a1',
      name: 'Reviewer',
      input: 'look',
      status: 'running',
    };

    expect(html(subagent, { threadHref: (id: string) => `/t/${id}` })).toContain('href="/t/a1"');
  });

  it('mark rewound parts', () => {
    const branch = { reason: 'rewind', afterBlockId: null, blocks: [edit] } as const;

    expect(renderToStaticMarkup(<SetAside branch={branch} />)).toContain('1 block set aside');
  });

  it('summarise quiet calls in a sentence', () => {
    expect(groupLabel([{ kind: 'read' }, { kind: 'search' }, { kind: 'read' }])).toBe(
      'Read 2 files, searched once',
    );
    const calls = [{ block: { ...edit, toolName: 'Read', input: { file_path: '/x/a.ts' } } }];
    expect(renderToStaticMarkup(<ToolGroup calls={calls} />)).toContain('a.ts');
  });
});

it('removes terminal escapes and bidi characters from output', () => {
  expect(
    plainOutput('\u001b[31mred\u001b[0m\r\n\u001b]8;;http://x\u0007link\u001b]8;;\u0007\u202e!'),
  ).toBe('red\nlink!');
});
