import type { RawTranscripts } from '@robota-sdk/agent-transcript';
import { allRecordings } from '../architectures/all-recordings.ts';

/** A session that is small enough to be damaged in every way. */
export interface SmallSession {
  readonly type: string;
  readonly name: string;
  readonly raw: RawTranscripts & { readonly main: string };
}

const at = '2026-01-01T00:00:00.000Z';

function lines(...records: readonly object[]): string {
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}

const piUsage = { input: 10, output: 5, cacheRead: 2, cacheWrite: 1, cost: { total: 0.5 } };
const pi = lines(
  { type: 'session', version: 3, id: 's1', timestamp: at, cwd: '/work' },
  piEntry('e1', null, { role: 'user', content: [{ type: 'text', text: 'One' }] }),
  piEntry('e2', 'e1', {
    role: 'assistant',
    model: 'm',
    usage: piUsage,
    content: [
      { type: 'thinking', thinking: 'Hm' },
      { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } },
    ],
  }),
  piEntry('e3', 'e2', {
    role: 'toolResult',
    toolCallId: 'c1',
    content: [
      { type: 'text', text: 'a.txt' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    isError: false,
    details: { lines: 1 },
  }),
  piEntry('e4', 'e2', { role: 'user', content: 'Left behind' }),
  piEntry('e5', 'e3', {
    role: 'bashExecution',
    command: 'ls',
    output: 'a.txt',
    exitCode: 0,
  }),
  {
    type: 'compaction',
    id: 'e6',
    parentId: 'e5',
    timestamp: at,
    summary: 'Short',
    firstKeptEntryId: 'e3',
    tokensBefore: 9,
  },
  {
    type: 'branch_summary',
    id: 'e7',
    parentId: 'e6',
    timestamp: at,
    summary: 'Left',
    fromId: 'e4',
  },
  { type: 'session_info', id: 'e8', parentId: 'e7', timestamp: at, name: 'Title' },
  piEntry('e9', 'e8', {
    role: 'assistant',
    model: 'm',
    usage: piUsage,
    content: [{ type: 'text', text: 'Done' }],
    stopReason: 'error',
    errorMessage: 'refused',
  }),
);

function piEntry(id: string, parentId: string | null, message: object): object {
  return { type: 'message', id, parentId, timestamp: at, message };
}

const tokens = { input: 10, output: 5, reasoning: 1, cache: { read: 2, write: 3 } };
const opencodeAnswer = {
  role: 'assistant',
  modelID: 'm',
  tokens,
  cost: 0.5,
  time: { created: 2000 },
};
const opencode = lines(
  { session: { id: 'ses_a', directory: '/work', title: 'T', revert: { messageID: 'msg_4' } } },
  { message: { id: 'msg_1', role: 'user', time: { created: 1000 } } },
  opencodePart('msg_1', 'prt_1', { type: 'text', text: 'Go' }),
  opencodePart('msg_1', 'prt_2', {
    type: 'file',
    url: 'data:image/png;base64,AAAA',
    mime: 'image/png',
  }),
  { message: { id: 'msg_2', ...opencodeAnswer } },
  opencodePart('msg_2', 'prt_3', { type: 'reasoning', text: 'Hm' }),
  opencodePart('msg_2', 'prt_4', {
    type: 'tool',
    tool: 'bash',
    callID: 'c1',
    state: {
      status: 'completed',
      title: 'Runs false',
      input: { command: 'false' },
      output: 'no',
      metadata: { exit: 1 },
      time: { start: 1, end: 4 },
    },
  }),
  opencodePart('msg_2', 'prt_5', {
    type: 'tool',
    tool: 'task',
    callID: 'c2',
    state: {
      status: 'completed',
      input: { prompt: 'Look', subagent_type: 'general' },
      output: '<task_result>\nSeen\n</task_result>',
      metadata: { sessionId: 'ses_b' },
    },
  }),
  { message: { id: 'msg_3', ...opencodeAnswer, error: { name: 'E', data: { message: 'no' } } } },
  { message: { id: 'msg_4', role: 'user', time: { created: 1000 } } },
  opencodePart('msg_4', 'prt_6', { type: 'compaction', auto: true }),
  { message: { id: 'msg_5', ...opencodeAnswer, summary: true } },
  opencodePart('msg_5', 'prt_7', { type: 'text', text: 'In short' }),
);
const opencodeChild = lines(
  { session: { id: 'ses_b', directory: '/work' } },
  { message: { id: 'msg_6', role: 'user', time: { created: 1000 } } },
  opencodePart('msg_6', 'prt_8', { type: 'text', text: 'Look' }),
);

function opencodePart(messageID: string, id: string, fields: object): object {
  return { part: { id, messageID, ...fields } };
}

const acp = lines(
  { type: 'acp_session', version: 1, agent: 'acp:qwen', sessionId: 's1', cwd: '/w', startedAt: at },
  acpStart({ type: 'user_message', id: 'b1', timestamp: at, content: 'Go' }),
  acpStart({ type: 'assistant_text', id: 'b2', timestamp: at, content: '' }),
  acpEvent({ type: 'text_delta', blockId: 'b2', delta: 'Hel' }),
  acpEvent({
    type: 'block_complete',
    blockId: 'b2',
    block: { type: 'assistant_text', id: 'b2', timestamp: at, content: 'Hello', model: 'm' },
  }),
  acpStart({
    type: 'tool_use',
    id: 'c1',
    timestamp: at,
    toolName: 'Bash',
    toolUseId: 'c1',
    input: { command: 'ls' },
    status: 'pending',
  }),
  acpEvent({ type: 'block_update', blockId: 'c1', updates: { status: 'success' } }),
  acpStart({
    type: 'tool_result',
    id: 'c1:result',
    timestamp: at,
    toolUseId: 'c1',
    output: 'a.txt',
    isError: false,
  }),
  acpEvent({
    type: 'metadata_update',
    metadata: { model: 'm', usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } },
  }),
);

function acpStart(block: object): object {
  return acpEvent({ type: 'block_start', block });
}

function acpEvent(event: object): object {
  return { type: 'event', event: { ...event, conversationId: 'main' } };
}

const round = { executionId: 'e1', conversationId: 's1', round: 1 };
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
  timestamp: at,
};
const robota = lines(
  ...[
    mutation({ id: 'u1', role: 'user', content: 'Read it', state: 'complete', timestamp: at }),
    { type: 'provider_request', ...round },
    { type: 'provider_thinking_delta', ...round, sequence: 0, delta: 'A fi' },
    { type: 'provider_stream_raw_delta', ...round, sequence: 0, delta: 'Reading.' },
    { type: 'assistant_message_committed', ...round, message: asks },
    mutation(asks),
    { type: 'tool_execution_request', ...round, toolCallId: 't1', toolName: 'Read' },
    { type: 'tool_execution_result', ...round, toolCallId: 't1', success: true },
    mutation({ id: 'r1', role: 'tool', toolCallId: 't1', content: 'hello', timestamp: at }),
  ].map(({ type, ...fields }) => ({ timestamp: at, sessionId: 's1', event: type, ...fields })),
);

function mutation(message: object) {
  return { type: 'history_mutation', ...round, mutation: 'append_message', message };
}

const made: readonly SmallSession[] = [
  { type: 'pi', name: 'pi', raw: { main: pi } },
  {
    type: 'opencode',
    name: 'opencode',
    raw: { main: opencode, subagents: [{ id: 'ses_b', transcript: opencodeChild }] },
  },
  { type: 'acp:qwen', name: 'acp', raw: { main: acp } },
  { type: 'robota', name: 'robota', raw: { main: robota } },
];

/** Real recordings without their long notes, and hand-written sessions of agents without recordings. */
export const smallSessions: readonly SmallSession[] = [
  ...made,
  ...allRecordings.map(({ type, name, main, subagents }) => ({
    type,
    name,
    raw: {
      main: isDocument(main) ? main : withoutLongLines(main),
      subagents: subagents.map((one) => ({
        ...one,
        transcript: withoutLongLines(one.transcript ?? ''),
      })),
    },
  })),
];

function isDocument(main: string): boolean {
  return main.startsWith('{\n');
}

function withoutLongLines(main: string): string {
  return main
    .split('\n')
    .filter((line) => line.length < 2500)
    .join('\n');
}
