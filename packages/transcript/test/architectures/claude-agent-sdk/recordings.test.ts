import { type ConversationBlock, parseTranscripts } from '@robota-sdk/agent-transcript';
import { getAgentArchitectureAdapter } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { recording, recordings } from './recordings.ts';

describe.each(recordings)('the recording $name', ({ raw }) => {
  const parsed = parseTranscripts('claude-agent-sdk', raw);
  const threads = [parsed.blocks, ...parsed.subagents.map((thread) => thread.blocks)];

  it('is read without skipped lines or kinds', () => {
    expect(parsed.skipped).toEqual({ lines: 0, kinds: {} });
    expect(parsed.superseded).toEqual([]);
    expect(parsed.blocks.length).toBeGreaterThan(0);
  });

  it('has a result for every call, with matching status', () => {
    for (const blocks of threads)
      expect(statuses(blocks, 'calls')).toEqual(statuses(blocks, 'results'));
  });

  it('has ids that are unique within a conversation, and the times of the records', () => {
    for (const blocks of threads) {
      expect(new Set(blocks.map((block) => block.id)).size).toBe(blocks.length);
      expect(blocks.every((block) => block.timestamp.startsWith('2026-11-1'))).toBe(true);
    }
  });

  it('reads the same every time', () => {
    expect(JSON.stringify(parseTranscripts('claude-agent-sdk', raw))).toBe(JSON.stringify(parsed));
    expect(getAgentArchitectureAdapter('claude-agent-sdk').parseTranscripts(raw)).toEqual(parsed);
  });

  it('gives a prefix of its blocks when the end of the file is missing', () => {
    const lines = raw.main.split('\n');
    const half = lines.slice(0, Math.floor(lines.length / 2)).join('\n');

    const { blocks } = parseTranscripts('claude-agent-sdk', { main: half });

    const ids = parsed.blocks.map((block) => block.id);
    expect(ids.slice(0, blocks.length)).toEqual(blocks.map((block) => block.id));
  });
});

describe('recorded scenarios', () => {
  it.each([
    [
      '2.1.325/parallel',
      [
        'user: "@@parallel"',
        'thinking: Both at once.',
        'text: Reading both.',
        'Read toolu_00008893087itt: success',
        'Bash toolu_000089f6e1f6jz: success',
        'Bash toolu_000090q232xv0j: success',
        'result toolu_00008893087itt: "1\\thello world\\n2\\tsecond line\\n3\\t"',
        'result toolu_000090q232xv0j: "hello.txt\\npic.png"',
        'result toolu_000089f6e1f6jz: "par"',
        'text: Both done.',
      ],
    ],
    ['2.1.325/sigint-think', ['user: "@@slowthink"', 'status: Request interrupted by user']],
    ['2.1.325/e400', ['user: "@@e400"', 'error: API Error: 400 messages: bad things']],
    ['2.1.325/redacted', ['user: "@@redacted"', 'thinking: ', 'text: After redacted thinking.']],
    [
      '2.1.325/servertool',
      [
        'user: "@@servertool"',
        'web_search srvtoolu_1: success',
        'result srvtoolu_1: [{"type":"web_search_result","title":"Cats","url":"http://127.0.0.1/cats","encrypted_content":"abc","page_age":null}]',
        'text: Cats exist.',
      ],
    ],
    [
      '2.1.325/ho-prompt-block',
      [
        'status: UserPromptSubmit operation blocked by hook:\njson prompt block\n\nOriginal prompt: @@text',
      ],
    ],
    [
      '2.1.325/bgbash',
      [
        'user: "@@bgbash"',
        'Bash toolu_000175mvgek3cg: success',
        expect.stringContaining('result toolu_000175mvgek3cg: "Command running in background'),
        'text: Started ticker.',
        'status: Background command "Ticker" completed (exit code 0)',
        'text: Saw the ticker end.',
      ],
    ],
  ])('shows the expected blocks of %s', (name, expected) => {
    const { blocks } = parseTranscripts('claude-agent-sdk', recording(name).raw);

    expect(briefs(blocks)).toEqual(expected);
  });

  it('keeps messages before a compaction, followed by its summary', () => {
    const { blocks } = parseTranscripts('claude-agent-sdk', recording('2.1.325/compact.s3').raw);

    expect(briefs(blocks.slice(-6))).toEqual([
      'text: Finished three steps.',
      'status: Conversation compacted',
      'status: /compact keep the numbers',
      'status: Compacted',
      'user: "@@text after compact"',
      'text: Hello from the fake model.',
    ]);
    expect(blocks.at(-5)?.metadata).toEqual({
      compaction: {
        kind: 'full',
        trigger: 'manual',
        preTokens: 2810,
        postTokens: 2599,
        durationMs: 51,
        summary: '[elided 1091 chars]',
        keptBlockIds: [blocks.at(-6)?.id],
      },
    });
  });

  it.each(['2.0.76/agentfg', '2.1.325/agentfg'])(
    'gives the subagent of %s a thread of its own',
    (name) => {
      const { blocks, subagents } = parseTranscripts('claude-agent-sdk', recording(name).raw);
      const agent = blocks.find((block) => block.type === 'subagent');

      expect(subagents.map((thread) => thread.id)).toEqual([agent?.subagentId]);
      expect(agent).toMatchObject({
        name: 'general-purpose',
        input: '@@subread please read the file',
        status: 'success',
        output: 'Sub result: it says hello.',
        durationMs: expect.any(Number),
      });
      expect(subagents[0]?.blocks.map((block) => block.type)).toEqual([
        'system',
        'user_message',
        'assistant_text',
        'tool_use',
        'tool_result',
        'thinking',
        'assistant_text',
        'system',
      ]);
      expect(briefs(subagents[0]?.blocks ?? [])).toEqual([
        'session_start: Subagent general-purpose started',
        'user: "@@subread please read the file"',
        'text: Sub: reading.',
        expect.stringMatching(/^Read .*: success$/),
        expect.stringContaining('hello world'),
        'thinking: sub thought',
        'text: Sub result: it says hello.',
        'session_end: Subagent completed',
      ]);
    },
  );

  it("counts each model message once, subagents included, and uses the program's cost", () => {
    const { metadata } = parseTranscripts('claude-agent-sdk', recording('2.1.325/agent2').raw);

    expect(metadata).toMatchObject({
      sessionId: '00000000-0000-4000-8000-000000000026',
      model: 'claude-opus-5-5',
      version: '2.1.325',
      costUSD: 0.07720600000000001,
      usage: {
        inputTokens: 60,
        outputTokens: 198,
        cacheReadTokens: 30,
        cacheWriteTokens: 14600,
        totalTokens: 14888,
      },
    });
    expect(Object.keys(metadata.usageByMessage as object)).toHaveLength(6);
  });
});

function statuses(blocks: readonly ConversationBlock[], of: 'calls' | 'results'): string[] {
  const found = blocks.flatMap((block) => {
    if (of === 'calls' && block.type === 'tool_use') return [`${block.toolUseId} ${block.status}`];
    if (of === 'results' && block.type === 'tool_result') {
      return [`${block.toolUseId} ${block.isError ? 'error' : 'success'}`];
    }
    return [];
  });
  return found.sort();
}
