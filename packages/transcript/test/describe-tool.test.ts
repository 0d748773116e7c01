import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentArchitectureType,
  describeTool,
  parseTranscripts,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';

const timestamp = '2026-01-02T03:04:05.000Z';

const call = (toolName: string, input: object, more: Partial<ToolUseBlock> = {}): ToolUseBlock => ({
  id: 'c',
  timestamp,
  type: 'tool_use',
  toolName,
  toolUseId: 'c',
  input: input as ToolUseBlock['input'],
  status: 'success',
  ...more,
});

const answer = (output: unknown, more: Partial<ToolResultBlock> = {}): ToolResultBlock => ({
  id: 'r',
  timestamp,
  type: 'tool_result',
  toolUseId: 'c',
  output,
  isError: false,
  ...more,
});

const drawn = (block: ToolUseBlock, result?: ToolResultBlock) =>
  describeTool(block, result).diff?.lines.map(
    ({ sign, text, oldLine, newLine }) => `${newLine ?? oldLine ?? ''}${sign}${text}`,
  );

describe('the subject of a call', () => {
  it.each([
    ['Bash', { command: 'npm test\nnpm run lint' }, 'shell', 'Bash', 'npm test ⏎ npm run lint'],
    ['exec_command', { command: ['bash', '-lc', 'ls -a'] }, 'shell', 'Bash', 'ls -a'],
    ['exec_command', { cmd: 'cat a.txt' }, 'shell', 'Bash', 'cat a.txt'],
    ['run_shell_command', { command: 'echo hi' }, 'shell', 'Bash', 'echo hi'],
    ['Read', { filePath: 'a.ts', offset: 10, limit: 5 }, 'read', 'Read', 'a.ts:10-14'],
    ['read_file', { file_path: 'a.txt' }, 'read', 'Read', 'a.txt'],
    ['read_many_files', { paths: ['a', 'b'] }, 'read', 'Read', 'a, b'],
    ['Grep', { pattern: 'lease', path: 'src' }, 'search', 'Search', 'lease in src'],
    ['list_directory', { dir_path: '.' }, 'list', 'List', '.'],
    ['WebFetch', { url: 'https://a.example' }, 'fetch', 'Fetch', 'https://a.example'],
    ['web_search', { query: 'cats' }, 'web_search', 'Search the web', 'cats'],
    ['mcp__linear__create_issue', { title: 'Bug' }, 'other', 'linear: create issue', 'Bug'],
    [
      'update_plan',
      { plan: [{ step: 'one', status: 'completed' }, { step: 'two' }] },
      'plan',
      'Plan',
      '1 of 2 done',
    ],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch' },
      'edit',
      'Edit',
      'new.txt',
    ],
  ])('%s %j', (name, input, kind, verb, target) => {
    expect(describeTool(call(name, input))).toMatchObject({ kind, verb, target });
  });

  it('lists every argument as text', () => {
    const { fields } = describeTool(
      call('mcp__db__query', { sql: 'select 1', options: { limit: 5, tags: ['a', 'b'] } }),
    );

    expect(fields).toEqual([
      { name: 'sql', value: 'select 1' },
      { name: 'options', value: 'limit: 5\ntags:\n  - a\n  - b' },
    ]);
  });
});

describe('the result of a call', () => {
  it.each([
    ['running', call('Bash', {}, { status: 'running' }), undefined],
    ['success', call('Bash', {}), answer('ok')],
    ['error', call('Bash', {}), answer('no', { isError: true })],
    [
      'denied',
      call('Bash', {}),
      answer('no', { isError: true, metadata: { errorCode: 'denied' } }),
    ],
    ['denied', call('Bash', {}), answer('no', { isError: true, metadata: { denial: 'user' } })],
  ])('%s', (state, block, result) => {
    expect(describeTool(block, result).state).toBe(state);
  });

  it.each([
    ['our envelope', '{"success":true,"output":"a\\nb","exitCode":3}', 'a\nb', 3],
    [
      'a failure of ours',
      '{"success":false,"output":"","error":"no such file"}',
      'no such file',
      undefined,
    ],
    [
      'a failure of ours as the model reads it',
      'File not found: a.txt\n{"success":false,"output":"","error":"File not found: a.txt"}',
      'File not found: a.txt',
      undefined,
    ],
    [
      'a failure whose command had printed something',
      'Error: killed\n{"success":false,"output":"half","error":"killed","exitCode":137}',
      'half\nkilled',
      137,
    ],
    [
      'a program that prints such an envelope itself',
      'testing\n{"success":false,"error":"no"}',
      'testing\n{"success":false,"error":"no"}',
      undefined,
    ],
    [
      'the words around a reason',
      'Error: Tool Execution Error (Ask): Function tool execution failed: Nobody answered.',
      'Nobody answered.',
      undefined,
    ],
    [
      'output that begins with an empty line',
      '{"success":true,"output":"\\nstderr:\\noops","exitCode":3}',
      'stderr:\noops',
      3,
    ],
    ['a failure told twice', '{"success":false,"output":"gone","error":"gone"}', 'gone', undefined],
    ['JSON inside our envelope', '{"success":true,"output":"{\\"sum\\":5}"}', 'sum: 5', undefined],
    ['JSON of an MCP tool', '{"sum":5,"of":[2,3]}', 'sum: 5\nof:\n  - 2\n  - 3', undefined],
    [
      'parts',
      [
        { type: 'text', text: 'a picture' },
        { type: 'image', source: {} },
      ],
      'a picture\n[image]',
      undefined,
    ],
    [
      'Gemini',
      '<untrusted_context>\nOutput: out\nerr\nExit Code: 3\nProcess Group PGID: 1\n</untrusted_context>',
      'out\nerr\n',
      3,
    ],
    ['Codex', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n', 'Success.\n', 0],
    ['Claude', 'hello\n\n<system-reminder>be good</system-reminder>\n', 'hello\n\n', undefined],
    ['text that begins like JSON', '{not json', '{not json', undefined],
  ])('reads %s', (_, output, text, exitCode) => {
    const view = describeTool(call('Bash', { command: 'x' }), answer(output));

    expect([view.text, view.exitCode]).toEqual([text, exitCode]);
  });

  it('is quiet only for read-only calls that have not failed', () => {
    const quiet = (block: ToolUseBlock, result?: ToolResultBlock) =>
      describeTool(block, result).isQuiet;

    expect([
      quiet(call('Read', { filePath: 'a' }), answer('text')),
      quiet(call('Grep', { pattern: 'a' }, { status: 'running' })),
      quiet(call('Read', { filePath: 'a' }), answer('gone', { isError: true })),
      quiet(call('Bash', { command: 'ls' }), answer('a')),
    ]).toEqual([true, true, false, false]);
  });
});

describe('the diff of a call', () => {
  const edit = {
    filePath: 'a.ts',
    oldString: 'const a = 1;\nkeep',
    newString: 'const a = 2;\nkeep',
  };

  it('numbers lines from the start of the edit', () => {
    const result = answer('{"success":true,"output":"Replaced 1 occurrence(s)","startLine":7}');

    expect(drawn(call('Edit', edit), result)).toEqual([
      '7-const a = 1;',
      '7+const a = 2;',
      '8 keep',
    ]);
  });

  it('has no line numbers if they are unknown', () => {
    expect(drawn(call('replace', { file_path: 'a', old_string: 'x', new_string: 'y' }))).toEqual([
      '-x',
      '+y',
    ]);
  });

  it("reads position and context from the numbered lines of Claude's result", () => {
    const output = 'updated. Here is a snippet:\n    41→before\n    42→goodbye world\n    43→after';
    const block = call('Edit', { file_path: 'a', old_string: 'hello', new_string: 'goodbye' });

    expect(drawn(block, answer(output))).toEqual([
      '41 before',
      '42-hello world',
      '42+goodbye world',
      '43 after',
    ]);
  });

  it('reads patches of several files', () => {
    const input =
      '*** Begin Patch\n*** Add File: new.txt\n+hello\n*** Update File: a.txt\n@@\n-one\n+ONE\n two\n*** End Patch\n';

    expect(drawn(call('apply_patch', { input }))).toEqual([
      '@new.txt',
      '1+hello',
      '@a.txt',
      '@',
      '-one',
      '+ONE',
      ' two',
    ]);
  });

  it('uses the diff that Gemini displays', () => {
    const fileDiff =
      'Index: a.txt\n=====================\n--- a.txt\n+++ a.txt\n@@ -8,2 +8,2 @@\n-one\n+ONE\n two';
    const result = answer('done', { metadata: { display: { fileDiff } } });

    expect(
      drawn(call('replace', { file_path: 'a.txt', old_string: 'o', new_string: 'O' }), result),
    ).toEqual(['8-one', '8+ONE', '9 two']);
  });

  it('shows a written file without an extra last line', () => {
    const view = describeTool(
      call('Write', { filePath: 'a', content: 'one\ntwo\n' }),
      answer('ok'),
    );

    expect(view.diff).toEqual({
      lines: [
        { sign: '+', text: 'one', newLine: 1 },
        { sign: '+', text: 'two', newLine: 2 },
      ],
      added: 2,
      removed: 0,
    });
  });
});

describe('recorded sessions', () => {
  const recordings = (['claude', 'codex', 'gemini'] as const).flatMap((agent) => files(agent));

  it.each(recordings)('$file: shows no call as JSON', ({ type, path }) => {
    const { blocks } = parseTranscripts(type, { main: readFileSync(path, 'utf8'), subagents: [] });
    const results = new Map(
      blocks.flatMap((block) => (block.type === 'tool_result' ? [[block.toolUseId, block]] : [])),
    );
    const shown = blocks.flatMap((block) => {
      if (block.type !== 'tool_use') return [];
      const { target, text, fields } = describeTool(block, results.get(block.toolUseId));
      return [target, text, ...fields.map(({ value }) => value)];
    });

    expect(shown.filter(isJson)).toEqual([]);
  });
});

const TYPES: Readonly<Record<'claude' | 'codex' | 'gemini', AgentArchitectureType>> = {
  claude: 'claude-agent-sdk',
  codex: 'codex',
  gemini: 'gemini-cli',
};

function files(agent: keyof typeof TYPES) {
  const root = join(import.meta.dirname, 'fixtures', agent);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.jsonl?$/.test(file))
    .map((file) => ({ type: TYPES[agent], path: join(root, file), file: `${agent}/${file}` }));
}

/** A non-empty object or list, as JSON. */
function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  } catch {
    return false;
  }
}

describe('to-do lists and questions', () => {
  it.each([
    [
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'in_progress' },
          { content: 'c', status: 'pending' },
        ],
      },
    ],
    [
      'update_plan',
      {
        plan: [
          { step: 'a', status: 'completed' },
          { step: 'b', status: 'in_progress' },
          { step: 'c', status: 'pending' },
        ],
      },
    ],
    [
      'write_todos',
      {
        todos: [
          { description: 'a', status: 'completed' },
          { description: 'b', status: 'in_progress' },
          { description: 'c', status: 'pending' },
        ],
      },
    ],
  ])('%s has steps, for every agent', (toolName, input) => {
    const view = describeTool(call(toolName, input));

    expect(view).toMatchObject({ kind: 'plan', target: '1 of 3 done' });
    expect(view.steps).toEqual([
      { text: 'a', state: 'done' },
      { text: 'b', state: 'current' },
      { text: 'c', state: 'open' },
    ]);
  });

  it('a plan to approve is shown by its title', () => {
    const view = describeTool(call('ExitPlanMode', { plan: '# Plan\n1. look' }));

    expect(view).toMatchObject({ kind: 'plan', verb: 'Plan', target: '1. look' });
    expect(describeTool(call('ExitPlanMode', { plan: '## Move it\n\n1. look' })).target).toBe(
      'Move it',
    );
    expect(view).not.toHaveProperty('steps');
  });

  it('a question is shown by its text', () => {
    const questions = [{ question: 'Which one?' }, { question: 'And when?' }];

    expect(describeTool(call('AskUserQuestion', { questions }))).toMatchObject({
      kind: 'question',
      verb: 'Ask',
      target: 'Which one? And when?',
    });
  });
});
