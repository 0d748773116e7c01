import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import type { SearchHit, SessionRow, UsageRow } from '../../src/api-types.ts';
import type { FakeWorld } from './fake-server.ts';
import { FakeSession, type SessionFact } from './fake-session.ts';

const HOUR = 3_600_000;

function ago(milliseconds: number): string {
  return new Date(Date.now() - milliseconds).toISOString();
}

export function row(change: Partial<SessionRow> & Pick<SessionRow, 'id' | 'title'>): SessionRow {
  return {
    agent: 'robota',
    project: 'relay',
    state: 'idle',
    updated_at: ago(HOUR),
    is_live: false,
    message_count: 3,
    access: 'drive',
    branch: 'main',
    model: 'claude-sonnet-5-5',
    permission_mode: 'default',
    cost_usd: 0.38,
    ...change,
  };
}

const timestamp = '2026-11-16T12:00:00.000Z';

export const block = {
  user: (id: string, content: string): ConversationBlock => ({
    type: 'user_message',
    id,
    timestamp,
    content,
  }),
  text: (id: string, content: string): ConversationBlock => ({
    type: 'assistant_text',
    id,
    timestamp,
    content,
  }),
  call: (
    id: string,
    toolName: string,
    input: Readonly<Record<string, unknown>>,
    status: 'success' | 'error' | 'running' = 'success',
  ): ConversationBlock => ({
    type: 'tool_use',
    id,
    timestamp,
    toolName,
    toolUseId: id,
    input,
    status,
  }),
  result: (id: string, output: unknown, isError = false, durationMs = 10): ConversationBlock => ({
    type: 'tool_result',
    id: `${id}-result`,
    timestamp,
    toolUseId: id,
    output,
    isError,
    durationMs,
  }),
};

const FAILED_RUN = `RUN  v4.1.12 /home/ada/relay

❯ test/recover.test.ts (2 tests | 1 failed) 38ms
  ✓ continues after a crash 11ms
  × never runs a finished call twice 24ms
    → expected [ { id: "c1", ran: 2 } ] to deeply equal [ { id: "c1", outcome: "unknown" } ]

Test Files  1 failed (1)
     Tests  1 failed | 1 passed (2)`;

const ANSWER = `## What changed

A crash between *effect* and *result* no longer repeats the effect.

| State on disk | Before | Now |
|:--|:--|--:|
| intent, result | done | done |
| intent only | ran again | \`outcome unknown\` |

\`\`\`ts
/** An intent without a result: nobody knows whether it happened. */
export function unknownOutcomes(log: Log): CallId[] {
  return log.intents.filter(({ id }) => !log.results.has(id)).map(({ id }) => id); // O(open)
}
\`\`\`

- [x] test that failed first
- [x] all 403 tests pass
- [ ] changelog

The wording follows [Resume Means Resume](https://example.com/resume), and $p(n) = 1 - q^n$ holds.

> שלום, this quotation is right to left: مرحبا بالعالم
`;

/** A conversation with every kind of block. */
export function showcase(): ConversationBlock[] {
  return [
    block.user(
      'u1',
      'Resuming a session after a crash sometimes repeats the last tool call. Find out why and fix it, with a test that fails first.',
    ),
    {
      type: 'thinking',
      id: 't1',
      timestamp,
      content:
        'The log is written before the tool runs, so an intent without a result can mean "not started" or "finished".',
      metadata: { durationMs: 4200 },
    },
    block.call('r1', 'Read', { file_path: 'src/session/recover.ts' }),
    block.result('r1', 'export function recover() {}'),
    block.call('r2', 'Read', { file_path: 'src/session/tool-ledger.ts' }),
    block.result('r2', 'export class ToolLedger {}'),
    block.call('r3', 'Grep', { pattern: 'outcome: .unknown.', path: 'src' }),
    block.result('r3', 'src/session/recover.ts:21'),
    block.text(
      'a1',
      'Found it. `recover()` re-queues every intent that has no result, but a **non-idempotent** tool may have finished before the process died. An intent without a result must become *outcome unknown*, and the model is told so instead of the call running twice.\n\nThe failing test first:',
    ),
    block.call('e1', 'Edit', {
      file_path: 'test/recover.test.ts',
      old_string: '  const log = crashed();\n  await recover(log);\n});',
      new_string:
        "  const log = crashed();\n  await recover(log);\n});\n\ntest('never runs a finished call twice', async () => {\n  const log = crashed({ after: 'effect', before: 'result' });\n  const { calls } = await recover(log);\n  expect(calls).toEqual([{ id: 'c1', outcome: 'unknown' }]);\n});",
    }),
    block.result('e1', '{"success":true,"output":"Edited","startLine":42}'),
    block.call('b1', 'Bash', { command: 'npx vitest run test/recover.test.ts' }, 'error'),
    block.result('b1', FAILED_RUN, true, 2300),
    {
      type: 'subagent',
      id: 's1',
      timestamp,
      subagentId: 'reviewer',
      name: 'Reviewer',
      input: 'Read the change and look for other places with the same fault',
      output: 'Two other callers read the ledger; both handle an unknown outcome.',
      status: 'success',
      durationMs: 48_000,
    },
    block.text('a2', ANSWER),
    { type: 'system', id: 'm1', timestamp, subtype: 'status', message: 'Conversation compacted' },
    block.user('u2', 'Good. Run the crash suite with 500 kills and then write the changelog line.'),
    block.call('b2', 'Bash', { command: 'npm run test:crash -- --kills 500' }, 'running'),
  ];
}

const USAGE: readonly UsageRow[] = Array.from({ length: 30 }, (_, index) =>
  ['robota', 'claude', 'gemini', 'codex'].map((agent, place) => ({
    key: new Date(Date.now() - (29 - index) * 24 * HOUR).toISOString().slice(0, 10),
    label: `Day ${index + 1}`,
    agent,
    requests: 20,
    input_tokens: 240_000,
    output_tokens: Math.round((Math.sin(index * 1.7 + place * 2.1) + 1.25) * 15_000),
    cache_read_tokens: 1_760_000,
    cache_write_tokens: 0,
    cost_usd: Math.round((Math.sin(index * 1.3 + place * 2.4) + 1.3) * 95) / 100,
    unpriced_requests: 0,
  })),
).flat();

function hit(agent: string, id: string, title: string, words: readonly string[]): SearchHit {
  return {
    agent,
    session_id: id,
    title,
    updated_at: ago(2 * 60_000),
    thread: 'main',
    block_id: 'a2',
    snippet: words.map((text, index) => ({ text, hit: index === 1 })),
  };
}

/** A machine with sessions of several agents. */
export function sampleWorld(): FakeWorld & { readonly main: FakeSession } {
  const main = new FakeSession({
    row: row({
      id: 'show',
      title: 'Crash repeats the last tool call',
      state: 'working',
      updated_at: ago(60_000),
    }),
    blocks: showcase(),
    subagents: [
      { id: 'reviewer', blocks: [block.text('sub1', 'I read both callers of the ledger.')] },
    ],
    superseded: [
      { reason: 'rewind', afterBlockId: 'a1', blocks: [block.text('old', 'An earlier attempt.')] },
    ],
    metadata: {
      usage: {
        inputTokens: 38_100,
        outputTokens: 6200,
        cacheReadTokens: 412_000,
        totalTokens: 456_300,
      },
      costUSD: 0.38,
    },
  });
  const others: SessionRow[] = [
    row({
      id: 'c1',
      agent: 'claude',
      title: 'Add keyset paging to the session list',
      state: 'waiting',
      updated_at: ago(4 * 60_000),
    }),
    row({
      id: 'x1',
      agent: 'codex',
      title: 'Why is CI red on arm64?',
      project: 'infra',
      state: 'working',
      access: 'follow',
      updated_at: ago(22 * 60_000),
    }),
    row({ id: 'r2', title: 'Port the parser fuzz to fast-check', updated_at: ago(2 * HOUR) }),
    row({
      id: 'g1',
      agent: 'gemini',
      title: 'Explain the lease protocol',
      project: 'docs',
      access: 'closed',
      updated_at: ago(3 * HOUR),
    }),
    row({
      id: 'c2',
      agent: 'claude',
      title: 'Rename SessionHost methods',
      state: 'failed',
      updated_at: ago(5 * HOUR),
    }),
    ...[
      'Upgrade to TypeScript 7',
      'Flaky websocket reconnect test',
      'Write the migration guide',
    ].map((title, index) =>
      row({
        id: `o${index}`,
        agent: ['claude', 'codex', 'robota'][index] ?? 'robota',
        title,
        updated_at: ago((26 + index * 9) * HOUR),
      }),
    ),
  ];
  const rest = others.map(
    (facts) => new FakeSession({ row: facts, blocks: showcase().slice(0, 10) }),
  );
  return {
    main,
    sessions: [main, ...rest],
    usage: USAGE,
    hits: [
      hit('robota', 'show', 'Crash repeats the last tool call', [
        'an intent without a result must become ',
        'outcome unknown',
        ', and the model is told so instead of',
      ]),
      hit('codex', 'x1', 'Why is CI red on arm64?', [
        'exit code 137, so the ',
        'outcome',
        ' of the last step is not recorded',
      ]),
    ],
  };
}

export const QUESTION: SessionFact = {
  type: 'question',
  question: {
    id: 'q1',
    kind: 'permission',
    conversationId: 'main',
    toolName: 'Edit',
    input: {
      file_path: 'CHANGELOG.md',
      old_string: '## Next\n\n- `robota doctor` repairs torn logs.',
      new_string:
        '## Next\n\n- A crash between effect and result no longer repeats the call: its outcome is unknown.\n- `robota doctor` repairs torn logs.',
    },
    explanation: 'No rule covers this file.',
    pattern: 'Edit(CHANGELOG.md)',
    choices: [
      { answer: 'allow', label: 'Allow once' },
      { answer: 'allow-session', label: 'Allow for this session' },
      { answer: 'allow-project', label: 'Allow for this project' },
      { answer: 'deny', label: 'Deny' },
    ],
  },
};
