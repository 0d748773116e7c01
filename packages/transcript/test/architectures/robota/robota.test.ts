import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  applyStreamEvent,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  parseTranscripts,
} from '@robota-sdk/agent-transcript';
import { parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { Dice, damage } from '../../mutations.ts';
import { briefs } from '../claude-agent-sdk/brief.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const round = { executionId: 'e1', conversationId: 's1', round: 1 };
const next = { ...round, round: 2 };

const user = { id: 'u1', role: 'user', content: 'Read it', state: 'complete', timestamp };
const asks = {
  id: 'a1',
  role: 'assistant',
  content: 'Reading.',
  parts: [
    { type: 'thinking', text: 'A file' },
    { type: 'text', text: 'Reading.' },
  ],
  toolCalls: [
    { id: 't1', type: 'function', function: { name: 'Read', arguments: '{"filePath":"/x"}' } },
  ],
  metadata: { model: 'm', inputTokens: 30, cacheReadTokens: 20, outputTokens: 5 },
  timestamp,
};
const answer = { id: 'r1', role: 'tool', toolCallId: 't1', content: 'hello', timestamp };
const says = { id: 'a2', role: 'assistant', content: 'It says hello.', timestamp };

/** The engine events of a run with one tool, in order. */
const run: readonly object[] = [
  appended(user, { executionId: 'e1', conversationId: 's1' }),
  { type: 'provider_request', ...round },
  { type: 'provider_thinking_delta', ...round, sequence: 0, delta: 'A fi' },
  { type: 'provider_thinking_delta', ...round, sequence: 1, delta: 'le' },
  { type: 'provider_stream_raw_delta', ...round, sequence: 0, delta: 'Reading.' },
  { type: 'assistant_message_committed', ...round, message: asks },
  appended(asks, round),
  { type: 'tool_execution_request', ...round, toolCallId: 't1', toolName: 'Read' },
  { type: 'tool_execution_result', ...round, toolCallId: 't1', success: true },
  appended(answer, round),
  { type: 'provider_stream_raw_delta', ...next, sequence: 0, delta: 'It says' },
  appended(says, next),
];

const told = [
  'user: "Read it"',
  'thinking: A file',
  'text: Reading.',
  'Read t1: success',
  'result t1: "hello"',
  'text: It says hello.',
];

describe('our own sessions', () => {
  it('streams a run under the ids of its log', () => {
    const live = fold(run);
    const reloaded = parseTranscripts('robota', { main: logOf(run) });

    expect(briefs(live.blocks)).toEqual(told);
    expect(live.blocks.map((block) => block.id)).toEqual([
      'u1',
      'e1:1:0',
      'e1:1:1',
      't1',
      't1:result',
      'e1:2:0',
    ]);
    expect(reloaded.blocks).toEqual(live.blocks);
    expect(reloaded.skipped).toEqual({ lines: 0, kinds: {} });
  });

  it('shows a tool as running, and text that was streaming when the process died', () => {
    const cut = run.slice(0, 8);

    expect(briefs(fold(cut).blocks).at(-1)).toBe('Read t1: running');
    expect(briefs(parseTranscripts('robota', { main: logOf(run.slice(0, 5)) }).blocks)).toEqual([
      'user: "Read it"',
      'thinking: A file',
      'text: Reading.',
    ]);
  });

  it('adds up usage without counting cached tokens twice', () => {
    expect(fold(run).metadata.usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 20,
      cacheWriteTokens: 0,
      totalTokens: 35,
    });
  });

  it('resolves references in the log to earlier messages', () => {
    const entries = run.map((event) =>
      'message' in event && event.message === asks && 'mutation' in event
        ? { ...event, message: { kind: 'message-reference', id: 'a1' } }
        : event,
    );

    expect(briefs(parseTranscripts('robota', { main: logOf(entries) }).blocks)).toEqual(told);
  });

  it('reads a session record', () => {
    const record = {
      id: 's1',
      cwd: '/work',
      name: 'Mine',
      messages: [user, asks, answer, says],
      history: [],
    };

    const { blocks, metadata } = parseTranscripts('robota', {
      main: JSON.stringify(record, null, 2),
    });

    expect(briefs(blocks)).toEqual(told);
    expect(blocks.map((block) => block.id)).toEqual([
      'u1',
      'a1:0',
      'a1:1',
      't1',
      't1:result',
      'a2:0',
    ]);
    expect(metadata).toMatchObject({ sessionId: 's1', cwd: '/work', title: 'Mine' });
  });

  it('reads a log from before mutations were written, from its last full history', () => {
    const main = logOf([
      { type: 'user', content: 'Read it' },
      { type: 'assistant', content: 'It says hello.', history: [user, says] },
    ]);

    expect(briefs(parseTranscripts('robota', { main }).blocks)).toEqual([
      'user: "Read it"',
      'text: It says hello.',
    ]);
  });

  it('supersedes what was cleared or rewound', () => {
    const cleared = fold([
      ...run,
      mutation({ mutation: 'clear' }),
      appended({ ...user, id: 'u2' }),
    ]);
    const rewound = fold([...run, mutation({ mutation: 'truncate', length: 1 })]);

    expect(briefs(cleared.blocks)).toEqual(['user: "Read it"']);
    expect(cleared.superseded.map((branch) => [branch.reason, briefs(branch.blocks)])).toEqual([
      ['reset', told],
    ]);
    expect(briefs(rewound.blocks)).toEqual(['user: "Read it"']);
    expect(rewound.superseded.map((branch) => [branch.reason, briefs(branch.blocks)])).toEqual([
      ['rewind', told.slice(1)],
    ]);
  });

  it('counts positions as the engine does, including the system message', () => {
    const system = mutation({
      mutation: 'set_system_message',
      message: { id: 's', role: 'system' },
    });
    const state = fold([system, ...run, mutation({ mutation: 'truncate', length: 2 })]);
    const begunAnew = fold([
      system,
      ...run,
      mutation({ mutation: 'append_message', index: 1, message: { ...user, id: 'u2' } }),
    ]);

    expect(briefs(state.blocks)).toEqual(['user: "Read it"']);
    expect(begunAnew.blocks.map((block) => block.id)).toEqual(['u2']);
  });

  it('restores large values the log stores in separate files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'robota-log-'));
    try {
      const payload = `s1.payloads/${'a'.repeat(64)}.json`;
      const reference = (relativePath: string) => ({ kind: 'external-payload', relativePath });
      mkdirSync(join(folder, 's1.payloads'));
      writeFileSync(join(folder, payload), JSON.stringify('a long answer'));
      const answers = [payload, '../../etc/passwd'].map((path, index) =>
        appended({ ...answer, toolCallId: `t${index}`, content: reference(path) }),
      );
      writeFileSync(join(folder, 's1.jsonl'), logOf(answers));

      const { blocks } = await parseTranscriptFile('robota', join(folder, 's1.jsonl'));

      expect(blocks).toMatchObject([
        { output: 'a long answer' },
        { output: reference('../../etc/passwd') },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps messages before a compaction, followed by its summary', () => {
    const summary = {
      id: 'c1',
      role: 'assistant',
      content: '[Context Summary]\nRead x',
      timestamp,
    };
    const state = fold([
      ...run,
      mutation({ mutation: 'replace_all', reason: 'compaction', messages: [summary] }),
      appended({ ...user, id: 'u2', content: 'More' }),
    ]);

    expect(briefs(state.blocks)).toEqual([
      ...told,
      'status: Conversation compacted',
      'user: "More"',
    ]);
    expect(state.blocks.at(-2)?.metadata).toEqual({
      compaction: { summary: '[Context Summary]\nRead x', keptBlockIds: [] },
    });
  });

  it('supersedes a failed attempt when the request is retried', () => {
    const state = fold([
      { type: 'provider_stream_raw_delta', ...round, delta: 'Hal' },
      { type: 'provider_retry', ...round, attempt: 2, waitMs: 100, reason: 'overloaded' },
      { type: 'provider_stream_raw_delta', ...round, delta: 'Hello' },
      appended({ ...says, content: 'Hello' }, round),
    ]);

    expect(briefs(state.blocks)).toEqual([
      'error: The model is asked again (attempt 2): overloaded',
      'text: Hello',
    ]);
    expect(state.superseded.map((branch) => briefs(branch.blocks))).toEqual([['text: Hal']]);
  });

  it('shows failed tools, malformed arguments and errors', () => {
    const call = { id: 't9', function: { name: 'Bash', arguments: '{"comm' } };
    const failed = { ...answer, toolCallId: 't9', content: 'no', metadata: { success: false } };
    const state = fold([
      appended({ ...says, content: null, toolCalls: [call] }, round),
      appended(failed, round),
      { event: 'error', message: 'Provider gone', timestamp },
    ]);

    expect(briefs(state.blocks)).toEqual([
      'Bash t9: error',
      'result t9: "no" (error)',
      'error: Provider gone',
    ]);
    expect(state.blocks[0]).toMatchObject({ input: { arguments: '{"comm' } });
  });

  it('gives a subagent its block in the conversation and its log a thread', () => {
    const call = {
      id: 't1',
      function: { name: 'Agent', arguments: '{"subagent_type":"reviewer","prompt":"Go"}' },
    };
    const events = [
      appended({ ...says, content: null, toolCalls: [call] }, round),
      appended({ ...answer, metadata: { agentId: 'abc', durationMs: 12 } }, round),
    ];

    const { blocks, subagents } = parseTranscripts('robota', {
      main: logOf(events),
      subagents: [{ id: 'abc', transcript: logOf([appended({ ...user, content: 'Go' })]) }],
    });

    expect(blocks).toEqual([
      {
        type: 'subagent',
        id: 'subagent:t1',
        timestamp,
        subagentId: 'abc',
        name: 'reviewer',
        input: 'Go',
        status: 'success',
        output: 'hello',
        durationMs: 12,
        toolUseId: 't1',
      },
    ]);
    expect(subagents.map(({ id, blocks: own }) => [id, briefs(own)])).toEqual([
      [
        'abc',
        [
          'session_start: Subagent reviewer started',
          'user: "Go"',
          'session_end: Subagent completed',
        ],
      ],
    ]);
  });

  it('skips and counts truncated lines and unknown events, and tolerates any damage', () => {
    const lines = logOf(run).trim().split('\n');
    const { blocks, skipped } = parseTranscripts('robota', {
      main: [...lines, '{"event":"his', '{"event":"later"}'].join('\n'),
    });
    const dice = new Dice(7);

    expect(briefs(blocks)).toEqual(told);
    expect(skipped).toEqual({ lines: 1, kinds: { later: 1 } });
    for (let round = 0; round < 500; round++) {
      parseTranscripts('robota', { main: damage(lines, dice).join('\n') });
    }
  });
});

function appended(message: object, scope: object = {}): object {
  return mutation({ ...scope, mutation: 'append_message', message });
}

function mutation(fields: object): object {
  return { type: 'history_mutation', ...fields };
}

/** The session log has the kind in `event` and a time in every line. */
function logOf(events: readonly object[]): string {
  const lines = events.map((each) => {
    const { type, ...fields } = each as { type?: string };
    return JSON.stringify({ timestamp, sessionId: 's1', event: type, ...fields });
  });
  return `${lines.join('\n')}\n`;
}

function fold(events: readonly object[]) {
  const translator = createStreamTranslator('robota', () => timestamp);
  return events
    .flatMap((event) => translator.translate(event))
    .reduce(applyStreamEvent, EMPTY_CONVERSATION);
}
