import { parseTranscripts } from '@robota-sdk/agent-transcript';
import { parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { recording } from './recordings.ts';
import { call, event, item, output, prompt, reply, rollout, shown } from './rollout.ts';

describe('the four rollout formats', () => {
  it.each([
    ['0.29.0/tools/home#0', 'shell', ['call_000004', 'call_000006', 'call_000008', 'call_000010']],
    ['0.47.0/tools/home#0', 'shell', ['call_000017', 'call_000019', 'call_000021', 'call_000023']],
  ])(
    'shows calls and answers in turn in %s',
    async (name, shell, [first, second, third, fourth]) => {
      const { blocks } = await parseTranscriptFile('codex', recording(name).path);

      expect(briefs(blocks)).toEqual([
        'user: "@tools"',
        'thinking: **Look**\n\nat it',
        'text: Let me look.',
        `${shell} ${first}: success`,
        `result ${first}: success`,
        `${shell} ${second}: error`,
        `result ${second}: error`,
        `no_such_tool ${third}: error`,
        `result ${third}: error`,
        `${shell} ${fourth}: error`,
        `result ${fourth}: error`,
        'text: Tools done.',
      ]);
    },
  );

  it.each([
    ['0.98.0/tools/home#0', ['call_000030', 'call_000032', 'call_000034', 'call_000036']],
    ['0.142.0/tools/home#0', ['call_000043', 'call_000045', 'call_000047', 'call_000049']],
  ])('shows parallel calls before their results in %s', async (name, ids) => {
    const { blocks } = await parseTranscriptFile('codex', recording(name).path);
    const [first, second, third, fourth] = ids;

    expect(briefs(blocks)).toEqual([
      'user: "@tools"',
      'thinking: **Look**\n\nat it',
      'text: Let me look.',
      `exec_command ${first}: success`,
      `exec_command ${second}: error`,
      `no_such_tool ${third}: error`,
      `exec_command ${fourth}: error`,
      ...ids.map((id) => `result ${id}: ${id === first ? 'success' : 'error'}`),
      'text: Tools done.',
    ]);
  });

  it('shows a paginated rollout with the ids of its items', async () => {
    const { path } = recording('0.166.0/03-one-tool/home#0');

    const { blocks } = await parseTranscriptFile('codex', path);

    expect(blocks.slice(0, 4)).toEqual([
      {
        type: 'user_message',
        id: '01a1e126-626a-7cf1-9079-949385043a44',
        timestamp: '2026-11-15T21:39:11.595Z',
        content: 'read a.txt',
      },
      expect.objectContaining({ type: 'thinking', id: 'rs_000014:0' }),
      expect.objectContaining({
        type: 'assistant_text',
        id: 'msg_000015:0',
        content: 'Let me read it.',
        model: 'gpt-5.5',
      }),
      expect.objectContaining({ type: 'tool_use', id: 'call_000012', input: { cmd: 'cat a.txt' } }),
    ]);
    expect(blocks[4]).toEqual({
      type: 'tool_result',
      id: 'call_000012:result',
      timestamp: expect.any(String),
      toolUseId: 'call_000012',
      output: 'alpha line 1\nalpha line 2\n',
      isError: false,
      durationMs: 1,
      metadata: { exitCode: 0 },
    });
  });

  it('unwraps the output envelope of older shells', async () => {
    const { path } = recording('0.29.0/tools/home#0');

    const { blocks } = await parseTranscriptFile('codex', path);

    expect(blocks[4]).toMatchObject({
      output: 'alpha line 1\nalpha line 2\n',
      isError: false,
      durationMs: 100,
      metadata: { exitCode: 0 },
    });
  });
});

describe('tools that did not run', () => {
  it.each([
    '0.47.0/escalate/home#0',
    '0.98.0/escalate/home#0',
    '0.142.0/escalate/home#0',
    '0.142.0/app-approve/home#0',
    '0.166.0/app-approve/home#0',
  ])('are errors when refused or denied by the sandbox, in %s', async (name) => {
    const { blocks } = await parseTranscriptFile('codex', recording(name).path);

    const outcomes = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.status] : []));
    expect(outcomes).toEqual(['error', 'error']);
  });

  it('are errors when a paginated rollout has no item for the command', () => {
    const text = rollout(
      call('c1', 'exec_command', '{"cmd":"x"}'),
      output('c1', 'a refusal in words nobody foresaw'),
      call('c2', 'exec_command', '{"cmd":"y"}'),
      output('c2', 'Process running with session ID 7\nOutput:\n'),
      call('c3', 'update_plan', '{}'),
      output('c3', 'Plan updated'),
    );

    const { blocks } = parseTranscripts('codex', { main: text });

    expect(briefs(blocks).filter((line) => line.startsWith('result'))).toEqual([
      'result c1: error',
      'result c2: success',
      'result c3: success',
    ]);
  });

  it('keep invalid or truncated JSON arguments', () => {
    const text = rollout(
      call('c1', 'exec_command', '{bad json'),
      call('c2', 'exec_command', '{"cmd":"cat [elided 900 chars]'),
      call('c3', 'exec_command', '[1,2]'),
    );

    const { blocks } = parseTranscripts('codex', { main: text });

    expect(blocks.map((block) => block.type === 'tool_use' && block.input)).toEqual([
      { raw: '{bad json' },
      { raw: '{"cmd":"cat [elided 900 chars]' },
      { raw: '[1,2]' },
    ]);
    expect(blocks.every((block) => block.type === 'tool_use' && block.status === 'pending')).toBe(
      true,
    );
  });

  it('are aborted when a turn is interrupted, even if the command ends later', async () => {
    const { path } = recording('0.166.0/app-interrupt/home#0');

    const { blocks } = await parseTranscriptFile('codex', path);

    expect(briefs(blocks)).toEqual([
      'user: "@slow now"',
      'exec_command call_000174: error',
      'result call_000174: error',
      'status: Turn interrupted',
      'user: "@text again"',
      'text: Hello there.',
    ]);
  });
});

describe('code mode', () => {
  it('shows the script and the commands it ran', async () => {
    const { path } = recording('0.166.0/app-code/home#0');

    const { blocks } = await parseTranscriptFile('codex', path);

    const nested = 'exec-8ef93a7c-3f2e-42c5-8d21-7ddf7e59ffc3';
    expect(briefs(blocks)).toEqual([
      'user: "@code one"',
      'exec call_000227: success',
      `exec_command ${nested}: success`,
      `result ${nested}: success`,
      'result call_000227: success',
      'text: Code done.',
    ]);
    expect(blocks[3]).toMatchObject({ output: 'alpha line 1\nalpha line 2\n' });
  });
});

describe('errors', () => {
  it.each([
    ['400', '{"error":{"message":"Bad thing","type":"invalid_request_error","code":"bad"}}'],
    ['429', 'exceeded retry limit, last status: 429 Too Many Requests'],
    ['failed-quota', 'Quota exceeded. Check your plan and billing details.'],
  ])('of the vendor are shown once (%s)', async (name, message) => {
    const { path } = recording(`0.166.0/12-api-errors/home-${name}#0`);

    const { blocks } = await parseTranscriptFile('codex', path);

    expect(briefs(blocks)).toEqual(['user: "hi"', `error: ${message}`]);
  });
});

describe('bad input', () => {
  it('is skipped and counted: truncated lines, NULs, unknown kinds', () => {
    const text = [
      rollout(prompt('a')),
      `\0\0${JSON.stringify({ timestamp: 'x', ordinal: 9, ...prompt('b') })}`,
      '{"timestamp":"2026',
      'null',
      '',
      JSON.stringify({ type: 'mystery', payload: {} }),
      JSON.stringify(event({ type: 'new_event' })),
      JSON.stringify(item({ type: 'new_item' })),
      JSON.stringify(shown({ type: 'NewItem', id: '1' })),
      JSON.stringify({ type: 'alone' }),
    ].join('\n');

    const { blocks, skipped } = parseTranscripts('codex', { main: text });

    expect(briefs(blocks)).toEqual(['user: "a"', 'user: "b"']);
    expect(skipped).toEqual({
      lines: 2,
      kinds: {
        mystery: 1,
        'event_msg/new_event': 1,
        'response_item/new_item': 1,
        'item/new_item': 1,
        'bare/alone': 1,
      },
    });
  });

  it('reads a 12 MB line and lone surrogates', () => {
    const long = 'x'.repeat(12_000_000);
    const text = rollout(reply(long, 'm1'), reply('\uD800', 'm2'));

    const { blocks } = parseTranscripts('codex', { main: text });

    expect(blocks.map((block) => block.type === 'assistant_text' && block.content.length)).toEqual([
      12_000_000, 1,
    ]);
  });

  it('gives a second result of one call its own id', () => {
    const text = rollout(call('c1', 'x', '{}'), output('c1', 'one'), output('c1', 'two'));

    const { blocks } = parseTranscripts('codex', { main: text });

    expect(blocks.map((block) => block.id)).toEqual(['c1', 'c1:result', 'c1:result:2']);
  });
});
