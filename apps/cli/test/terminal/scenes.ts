import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { layoutScreen } from '../../src/terminal/layout/layout-screen.ts';
import { loadHighlighter } from '../../src/terminal/markdown/highlight-code.ts';
import { plainText, type StyledLine } from '../../src/terminal/markdown/styled-text.ts';
import { paintLine } from '../../src/terminal/output/paint.ts';
import type { Theme } from '../../src/terminal/output/theme.ts';
import type { ScreenAction } from '../../src/terminal/state/screen-action.ts';
import { initialScreen, type ScreenState } from '../../src/terminal/state/screen-state.ts';
import {
  after,
  completes,
  NOW,
  OUR_SESSION,
  stream,
  submits,
  timestamp,
} from './state/screen-fixture.ts';

const highlight = await loadHighlighter();

const edit = {
  filePath: '/code/relay/src/session/recover.ts',
  oldString: '    queue.push(intent);',
  newString: "    log.append({ type: 'result', id: intent.id, outcome: 'unknown' });",
};

const recoverDiff = {
  lines: [
    { sign: ' ', text: '  for (const intent of open) {', oldLine: 20, newLine: 20 },
    { sign: '-', text: edit.oldString, oldLine: 21 },
    { sign: '+', text: edit.newString, newLine: 21 },
    { sign: ' ', text: '  }', oldLine: 22, newLine: 22 },
  ],
  added: 1,
  removed: 1,
} as const;

const changelogDiff = {
  lines: [
    { sign: ' ', text: '', oldLine: 4, newLine: 4 },
    {
      sign: '+',
      text: '- A crash between effect and result no longer repeats the call: its outcome is unknown.',
      newLine: 5,
    },
    { sign: ' ', text: '- `robota doctor` repairs torn logs.', oldLine: 5, newLine: 6 },
  ],
  added: 1,
  removed: 0,
} as const;

const opened = (missingKey?: string): ScreenAction => ({
  type: 'opened',
  session: OUR_SESSION,
  conversation: { blocks: [], subagents: [], superseded: [], metadata: {} },
  banner: { missingKey, found: '3 sessions here today, 1 waits for you · /resume' },
  isFresh: false,
});

const text = (id: string, content: string): ScreenAction =>
  completes({ id, timestamp, type: 'assistant_text', content });

/** A call that ran for a while and came to something. */
function call(
  id: string,
  toolName: string,
  about: { input: object; output: string; isError?: boolean; ms?: number },
): ScreenAction[] {
  const { input, output, isError = false, ms = 100 } = about;
  const block = {
    id,
    timestamp,
    type: 'tool_use',
    toolName,
    toolUseId: id,
    input: input as Record<string, unknown>,
    status: 'pending',
  } as const;
  const ended: ConversationBlock = { ...block, status: isError ? 'error' : 'success' };
  const at = NOW + ms;
  return [
    stream({ type: 'block_start', conversationId: 'main', block }),
    stream({
      type: 'block_update',
      conversationId: 'main',
      blockId: id,
      updates: { status: 'running' },
    }),
    {
      type: 'stream',
      event: { type: 'block_complete', conversationId: 'main', blockId: id, block: ended },
      at,
    },
    completes({
      id: `${id}:result`,
      timestamp,
      type: 'tool_result',
      toolUseId: id,
      output,
      isError,
    }),
  ];
}

const thought: ScreenAction[] = [
  stream({
    type: 'block_start',
    conversationId: 'main',
    block: { id: 'think', timestamp, type: 'thinking', content: '' },
  }),
  {
    type: 'stream',
    event: {
      type: 'block_complete',
      conversationId: 'main',
      blockId: 'think',
      block: { id: 'think', timestamp, type: 'thinking', content: 'Where are intents queued?' },
    },
    at: NOW + 4_000,
  },
];

const usage: ScreenAction = stream({
  type: 'metadata_update',
  conversationId: 'main',
  metadata: {
    usage: {
      inputTokens: 4_572,
      outputTokens: 6_200,
      cacheReadTokens: 33_528,
      totalTokens: 44_300,
    },
  },
});

const prompt = 'Resuming after a crash repeats the last tool call. Find out why and fix it.';
const asked = (id: string, content: string) =>
  completes({ id, timestamp, type: 'user_message', content });

const failure = [
  '× never runs a finished call twice 24ms',
  '  → expected [ { id: "c1", ran: 2 } ] to deeply equal [ { id: "c1", outcome: "unknown" } ]',
  ...Array.from({ length: 8 }, (_, line) => `    at line ${line}`),
].join('\n');

const turn: ScreenAction[] = [
  opened(),
  ...submits(prompt),
  asked('u', prompt),
  ...thought,
  ...call('r1', 'Read', { input: { filePath: '/code/relay/src/session/recover.ts' }, output: 'a' }),
  ...call('r2', 'Read', { input: { filePath: 'src/tool-ledger.ts' }, output: 'b' }),
  ...call('r3', 'Read', { input: { filePath: 'test/recover.test.ts' }, output: 'c' }),
  ...call('g1', 'Grep', { input: { pattern: 'queue.push' }, output: 'd' }),
  text(
    't1',
    'Found it. `recover()` re-queues every intent that has no result, but a **non-idempotent** tool may have finished before the process died.',
  ),
  { type: 'edit_begun', toolUseId: 'e1', diff: recoverDiff },
  ...call('e1', 'Edit', {
    input: edit,
    output: '{"success":true,"output":"Replaced 1 occurrence(s)","startLine":21}',
  }),
  ...call('b1', 'Bash', {
    input: { command: 'npx vitest run test/recover.test.ts' },
    output: JSON.stringify({ success: true, output: failure, exitCode: 1 }),
    isError: true,
    ms: 2_300,
  }),
  usage,
];

const table = [
  '| Package | What it is | Lines |',
  '|---|---|--:|',
  '| `core` | the engine: ask, act, repeat | 120 |',
  '| session | a run with a memory and a guard; log, replay, records and much more text that must wrap | 4,096 |',
  '| 世界 | 日本語のテキスト | 7 |',
].join('\n');

const running: ScreenAction[] = [
  ...turn,
  { type: 'status', facts: { contextPercentage: 21, costUsd: 0.38 } },
  stream({
    type: 'block_start',
    conversationId: 'main',
    block: {
      id: 'b2',
      timestamp,
      type: 'tool_use',
      toolName: 'Bash',
      toolUseId: 'b2',
      input: { command: 'npm run test:crash -- --kills 500' },
      status: 'running',
    },
  }),
  {
    type: 'tool_printed',
    toolUseId: 'b2',
    text: Array.from({ length: 313 }, (_, line) => `kill ${line + 1}/500  lease      ok`).join(
      '\n',
    ),
  },
  ...submits('then bump the version and tag it'),
  { type: 'tick', at: NOW + 72_000 },
];

const session = (facts: object) => ({
  id: 'id',
  agent: 'robota',
  agentName: 'Robota',
  title: '',
  updatedAt: 0,
  when: '',
  directory: '/code/relay',
  isHere: true,
  blockCount: 86,
  ...facts,
});

const picker: ScreenAction[] = [
  opened(),
  { type: 'picker_opened' },
  {
    type: 'sessions_listed',
    isLast: true,
    sessions: [
      session({
        title: 'Add keyset paging to the session list',
        agentName: 'Claude Code',
        agent: 'claude',
        when: '4 min',
        blockCount: 212,
        updatedAt: 9,
        live: 'needs_you',
      }),
      session({
        title: 'Crash repeats the last tool call',
        when: '1 min',
        updatedAt: 8,
        live: 'works',
      }),
      session({
        title: 'Why is CI red on arm64?',
        agent: 'codex',
        agentName: 'Codex',
        directory: '/srv/infra@build',
        when: '22 min',
        blockCount: 340,
        updatedAt: 7,
      }),
      session({
        title: 'Explain the lease protocol',
        agent: 'gemini',
        agentName: 'Gemini CLI',
        directory: '/code/docs',
        when: '3 h',
        blockCount: 1_241,
        updatedAt: 6,
      }),
    ],
  },
  { type: 'picker_drawn' },
  { type: 'press', press: { kind: 'key', name: 'down' }, at: NOW },
];

const permission: ScreenAction[] = [
  opened(),
  {
    type: 'question_asked',
    at: NOW + 10_000,
    diff: changelogDiff,
    question: {
      id: 'q',
      kind: 'permission',
      conversationId: 'main',
      toolName: 'Edit',
      input: { filePath: '/code/relay/CHANGELOG.md', oldString: '', newString: '' },
      choices: [
        { answer: 'allow', label: 'Yes' },
        { answer: 'allow-session', label: 'Yes, in this session' },
        { answer: 'allow-project', label: 'Yes, in this project' },
        { answer: 'deny', label: 'No' },
      ],
      explanation: 'No rule covers this file.',
      pattern: 'Edit(CHANGELOG.md)',
    },
  },
  { type: 'question_settled', id: 'q' },
];

const oddEnds: ScreenAction[] = [
  opened(),
  ...submits('go'),
  asked('u', 'go'),
  ...call('w', 'Write', {
    input: { filePath: 'notes.md', content: '# Notes\n' },
    output: '{"success":false,"output":"","error":"Access denied: notes.md is outside"}',
    isError: true,
  }),
  text('t', table),
  completes({
    id: 'x',
    timestamp,
    type: 'system',
    subtype: 'error',
    message: 'Overloaded (529)\n{"type":"error"}',
  }),
  {
    type: 'turn_ended',
    at: NOW + 3_000,
    end: {
      hint: 'wait a moment, then send it again',
      notice: 'The answer was cut off at the model’s limit. Say “go on” to have the rest.',
    },
  },
  {
    type: 'note',
    text: 'Context: 42,000 / 200,000 tokens (21%)',
    tone: 'plain',
    command: '/context',
  },
];

/** What the terminal shows in every situation worth looking at. */
export const SCENES: Readonly<Record<string, readonly ScreenAction[]>> = {
  start: [opened()],
  'start-without-key': [opened('demo model, no key found')],
  turn: [...turn, { type: 'turn_ended', at: NOW + 260_000, end: { costUsd: 0.38 } }],
  running,
  permission,
  picker,
  ends: oddEnds,
};

export function sceneAt(name: string, columns: number, theme?: Theme): ScreenState {
  const start = initialScreen({
    version: '0.2.0',
    directory: '/code/relay',
    columns,
    rows: 60,
    theme,
    status: {
      model: 'claude-sonnet-5-5',
      branch: 'main',
      contextTokens: 200_000,
      costUsd: 0,
    },
  });
  return after({ ...start, highlight }, ...(SCENES[name] ?? [])).state;
}

/** Everything on the screen, printed and live. */
function sceneRows(state: ScreenState): readonly StyledLine[] {
  return [...state.print.lines, ...layoutScreen(state).lines];
}

export function sceneText(state: ScreenState): string {
  return `${plainText(sceneRows(state)).replaceAll(/ +$/gm, '')}\n`;
}

/** With its colours, as the terminal is sent it. */
export function scenePainted(state: ScreenState): string {
  return `${sceneRows(state)
    .map((line) => paintLine(line, state.theme))
    .join('\n')}\n`;
}
