import { parseGeminiTranscriptFile, parseTranscripts } from '@robota-sdk/agent-transcript';
import { parseTranscriptFile, readLastBlocks } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { recording, recordings } from './recordings.ts';

describe.each(recordings)('$name', ({ path, raw }) => {
  const parsed = parseTranscripts('gemini-cli', raw);

  it('is read without skipped lines or kinds', () => {
    expect(parsed.skipped).toEqual({ lines: 0, kinds: {} });
  });

  it('gives the same blocks every time, from memory and from disk', async () => {
    expect(parseTranscripts('gemini-cli', raw)).toEqual(parsed);
    expect(await parseTranscriptFile('gemini-cli', path)).toEqual(parsed);
  });

  it('has one result for every call, with the status of the call', () => {
    for (const { blocks } of [parsed, ...parsed.subagents]) {
      const calls = blocks.filter((block) => block.type === 'tool_use');
      const results = blocks.filter((block) => block.type === 'tool_result');
      expect(
        results.map((result) => [result.toolUseId, result.isError ? 'error' : 'success']),
      ).toEqual(calls.map((call) => [call.toolUseId, call.status]));
    }
  });

  it('has times from the records and no id twice', () => {
    for (const { blocks } of [parsed, ...parsed.subagents]) {
      expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length);
      expect(blocks.filter(({ timestamp }) => !timestamp.startsWith('2026-11-1'))).toEqual([]);
    }
  });

  it('ends with the blocks that are read from its end', async () => {
    expect(await readLastBlocks('gemini-cli', path, 2)).toEqual(parsed.blocks.slice(-2));
  });

  it("never shows the program's own context", () => {
    const said = JSON.stringify(parsed.blocks);

    expect(said).not.toContain('<session_context>');
    expect(said).not.toContain('Thanks for the additional context');
  });
});

describe('recordings', () => {
  it.each([
    [
      '02-thinking',
      [
        'user: think about it',
        'thinking: Considering the request: The user wants a short answer, so I plan to be brief.',
        'thinking: Finalising: One sentence suffices.',
        'text: The answer is 42.',
      ],
    ],
    [
      '03-one-tool',
      [
        'user: read a.txt',
        'thinking: Reading: I need the file.',
        'text: Let me read a.txt.',
        'read_file: success',
        'result: "alpha line 1\\nalpha line 2\\n"',
        'text: It has two lines.',
      ],
    ],
    [
      '10-subagent',
      ['user: use the helper', 'subagent helper: success', 'text: The helper says beta.'],
    ],
    [
      '11-resume:4',
      [
        'user: first prompt',
        'thinking: T1: thought one.',
        'text: Reading.',
        'read_file: success',
        'result: "alpha line 1\\nalpha line 2\\n"',
        'text: Two lines.',
        'user: second prompt',
        'text: Resumed latest.',
        'user: third prompt',
        'text: Resumed by id.',
        'user: fourth prompt',
        'text: Resumed by index.',
      ],
    ],
    ['15-interrupt:resume-after-kill', ['user: sleep', 'user: go on', 'text: Resumed after kill.']],
    [
      '20-acp-tools',
      [
        'user: read a then list',
        'thinking: Plan: call the tool.',
        'text: Reading.',
        'read_file: success',
        'result: "alpha line 1\\nalpha line 2\\n"',
        'thinking: Plan: call the tool.',
        'text: And b.',
        'read_file: success',
        'result: "beta\\n"',
        'text: Both read.',
        'user: run a shell command',
        'thinking: Plan: call the tool.',
        'run_shell_command: success',
        'result: "<untrusted_context>\\nOutput: hi\\nProcess Group PGID: 27431\\n</untrusted_context>"',
        'text: Ran it.',
        'user: thanks',
        'text: You are welcome.',
      ],
    ],
    [
      '21-acp-denied',
      [
        'user: write a file',
        'thinking: Plan: call the tool.',
        'text: Writing.',
        'write_file: error',
        'result: "Tool \\"write_file\\" was canceled by the user." (error)',
        'text: Denied.',
      ],
    ],
    [
      'legacy-0.19.4/tools',
      [
        'user: read a and a missing one',
        'thinking: Plan: call the tool.',
        'text: Reading.',
        'read_file: success',
        'result: "alpha line 1\\nalpha line 2\\n"',
        'thinking: Plan: call the tool.',
        'read_file: error',
        'result: "File not found: /home/tester/tools/proj/missing.txt" (error)',
        'text: Done.',
      ],
    ],
    [
      'legacy-0.38.2/tools',
      [
        'user: read',
        'thinking: T: thinking.',
        'text: Reading.',
        'read_file: success',
        'read_file: error',
        'result: "alpha line 1\\n"',
        'result: "File not found: /home/tester/legacy2/proj/zz.txt" (error)',
        'text: Done.',
      ],
    ],
  ])('shows the expected blocks of %s', (name, expected) => {
    const { blocks } = parseTranscripts('gemini-cli', recording(name).raw);

    expect(briefs(blocks)).toEqual(expected);
  });

  it('keeps messages before a compaction, followed by its summary', () => {
    const { blocks } = parseTranscripts('gemini-cli', recording('12-auto-compaction:5').raw);

    expect(briefs(blocks).map((line) => line.slice(0, 22))).toEqual([
      'user: prompt 1 wp1_0 w',
      'text: Answer 1. wans1_',
      'user: prompt 2 wp2_0 w',
      'text: Answer 2. wans2_',
      'status: Conversation c',
      'user: prompt 3 wp3_0 w',
      'text: Answer 3. wans3_',
      'user: prompt 4 wp4_0 w',
      'text: Answer 4. wans4_',
      'status: Conversation c',
      'user: /compress',
      'text: Compressed ok',
    ]);
    expect(blocks[4]?.metadata?.compaction).toEqual({
      summary:
        '<state_snapshot><overall_goal>Test goal</overall_goal><key_knowledge>w1</key_knowledge></state_snapshot>',
    });
  });

  it('starts with the last compaction in the program’s view', () => {
    const { blocks } = parseGeminiTranscriptFile(recording('12-auto-compaction:5').raw, {
      view: 'program',
    });

    expect(briefs(blocks)).toEqual([
      'status: Conversation compacted',
      'user: /compress',
      'text: Compressed ok',
    ]);
  });

  it('shows a repeated result after a resume only in the program’s view', () => {
    const { raw } = recording('11-resume:4');
    const ids = (view: 'full' | 'program') =>
      parseGeminiTranscriptFile(raw, { view })
        .blocks.filter((block) => block.type === 'tool_result')
        .map(({ id }) => id);

    expect(ids('full')).toEqual(['read_file__read_file_1794777702165_0:result']);
    expect(ids('program')).toEqual([
      'read_file__read_file_1794777702165_0:result',
      'read_file__read_file_1794777702165_0:result:2',
    ]);
  });

  it.each(['400', '401', '403', '404', '429', '500', '503'])(
    'keeps the prompt that the program forgot after error %s',
    (code) => {
      const { blocks, superseded } = parseTranscripts(
        'gemini-cli',
        recording(`13-api-errors:${code}`).raw,
      );

      expect(blocks).toEqual([]);
      expect(superseded).toMatchObject([
        { reason: 'retry', afterBlockId: null, blocks: [{ type: 'user_message', content: 'hi' }] },
      ]);
    },
  );

  it('finds nothing in a file that a resume left behind', () => {
    const { blocks, superseded, metadata } = parseTranscripts(
      'gemini-cli',
      recording('11-resume:12#1').raw,
    );

    expect([...blocks, ...superseded]).toEqual([]);
    expect(metadata.sessionId).toBe('fbad7fc6-6397-4bb0-919a-1bdd9d722eb8');
  });

  it('names the session a fork was imported from, and counts only its own tokens', () => {
    const { blocks, metadata } = parseTranscripts('gemini-cli', recording('11-resume:8#1').raw);

    expect(briefs(blocks)[0]).toContain('status: Imported session from');
    expect(Object.keys(metadata.usageByMessage ?? {})).toEqual([
      '6af0ed5a-1575-43d6-bd0a-47d12e3c85f4',
    ]);
  });

  it('gives each of two subagents its thread, in the order of their calls', () => {
    const { blocks, subagents } = parseTranscripts(
      'gemini-cli',
      recording('10-subagent:parallel').raw,
    );

    const agents = blocks.filter((block) => block.type === 'subagent');
    expect(agents.map(({ subagentId, input, output }) => [subagentId, input, output])).toEqual([
      ['037bba7a-9392-4894-91fa-0dd98916df55', 'Read a.txt', 'done A'],
      ['700426d2-410b-4ef3-a018-ca4cec8c3696', 'Read b.txt only', 'done B'],
    ]);
    expect(subagents.map(({ id }) => id)).toEqual(agents.map(({ subagentId }) => subagentId));
    expect(briefs(subagents[0]?.blocks ?? [])).toEqual([
      'session_start: Subagent helper started',
      'user: Read a.txt',
      'read_file: success',
      'result: "alpha line 1\\nalpha line 2\\n"',
      'complete_task: success',
      'result: "Result submitted and task completed."',
      'session_end: Subagent completed',
    ]);
  });

  it('counts the tokens of each model message once, subagents included', () => {
    const { metadata } = parseTranscripts('gemini-cli', recording('10-subagent').raw);

    expect(metadata.usage).toEqual({
      inputTokens: 4300,
      outputTokens: 82,
      cacheReadTokens: 0,
      thinkingTokens: 20,
      totalTokens: 4402,
    });
  });

  it('shows pictures that were sent and that a tool read', () => {
    const [prompt] = parseTranscripts('gemini-cli', recording('22-image').raw).blocks;
    const results = parseTranscripts('gemini-cli', recording('23-read-image').raw).blocks.filter(
      (block) => block.type === 'tool_result',
    );

    const image = {
      type: 'image',
      source: { type: 'base64', mediaType: 'image/png', data: expect.any(String) },
    };
    expect(prompt).toMatchObject({ content: [{ type: 'text', text: 'look at @pic.png' }, image] });
    expect(results[0]?.output).toEqual([
      { type: 'text', text: 'Binary content provided (1 item(s)).' },
      image,
    ]);
  });

  it('knows session, start, workspace and model', () => {
    const { metadata } = parseTranscripts('gemini-cli', recording('03-one-tool').raw);

    expect(metadata).toMatchObject({
      sessionId: 'c6aab2fc-43c6-407c-bfca-9249b71b10af',
      startTime: '2026-11-15T21:20:50.485Z',
      lastUpdated: '2026-11-15T21:20:50.663Z',
      cwd: '/home/tester/03-one-tool/proj',
      model: 'gemini-2.5-pro',
    });
  });
});
