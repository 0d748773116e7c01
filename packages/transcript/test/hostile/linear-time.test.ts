import { parseTranscripts } from '@robota-sdk/agent-transcript';
import { expect, it } from 'vitest';

const COUNT = 25_000;
/** A reading of so many lines takes a tenth of this; one in quadratic time takes ten times as long. */
const MOST_CPU_SECONDS = 6;

const at = '2026-01-01T00:00:00.000Z';

type Make = (index: number, count: number) => readonly object[];

function claude(
  uuid: string,
  parentUuid: string | null,
  message: object,
  more: object = {},
): object {
  const type = 'role' in message ? message.role : 'user';
  return { type, uuid, parentUuid, timestamp: at, sessionId: 's', message, ...more };
}
const before = (index: number, first: string | null = null) =>
  index > 0 ? `u${index - 1}` : first;
const asked = (content: unknown) => ({ role: 'user', content });
const said = (id: string, ...content: object[]) => ({
  id,
  role: 'assistant',
  model: 'm',
  content,
  usage: { input_tokens: 1, output_tokens: 1 },
});
const claudeCall = { type: 'tool_use', id: 't', name: 'Bash', input: {} };
const claudeResult = { type: 'tool_result', tool_use_id: 't', content: 'x' };
const note = '<task-notification><task-id>x</task-id></task-notification>';

function codex(type: string, payload: object): object {
  return { timestamp: at, type, payload };
}

function gemini(id: string, type: string, content: unknown, more: object = {}): object {
  return { id, timestamp: at, type, content, ...more };
}
const geminiHeader = { sessionId: 's', projectHash: 'p', startTime: at };
const snapshot = gemini('s', 'user', '<state_snapshot>s</state_snapshot>');

function pi(id: string, parentId: string | null, message: object): object {
  return { type: 'message', id, parentId, timestamp: at, message };
}

function acp(event: object): object {
  return { type: 'event', event: { ...event, conversationId: 'main' } };
}

const CASES: readonly (readonly [name: string, type: string, make: Make])[] = [
  ['a chain', 'claude-agent-sdk', (i) => [claude(`u${i}`, before(i), asked('x'))]],
  ['a cycle', 'claude-agent-sdk', (i, n) => [claude(`u${i}`, `u${(i + 1) % n}`, asked('x'))]],
  ['many short cycles', 'claude-agent-sdk', (i) => [claude(`u${i}`, `u${i ^ 1}`, asked('x'))]],
  ['many branches', 'claude-agent-sdk', (i) => [claude(`u${i}`, 'root', asked('x'))]],
  [
    'one call id',
    'claude-agent-sdk',
    (i) => [claude(`u${i}`, before(i), said(`m${i}`, claudeCall))],
  ],
  ['one result', 'claude-agent-sdk', (i) => [claude(`u${i}`, before(i), asked([claudeResult]))]],
  ['one task', 'claude-agent-sdk', (i) => [claude(`u${i}`, before(i), asked(note))]],
  [
    'many agents',
    'claude-agent-sdk',
    (i) => [
      claude(
        `u${i}`,
        before(i),
        said(`m${i}`, { type: 'tool_use', id: `t${i}`, name: 'Agent', input: { prompt: `p${i}` } }),
      ),
      claude(`s${i}`, null, asked(`q${i}`), { isSidechain: true }),
    ],
  ],
  [
    'many compactions',
    'claude-agent-sdk',
    (i) => [
      claude(`u${i}`, i > 0 ? `c${i - 1}` : null, asked('x')),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: `c${i}`,
        parentUuid: null,
        logicalParentUuid: `u${i}`,
        timestamp: at,
        compactMetadata: { preservedMessages: { uuids: [`u${i}`, 'u0'] } },
      },
    ],
  ],
  [
    'many totals',
    'claude-agent-sdk',
    (i) => [
      claude(`u${i}`, before(i), said(`m${i}`, { type: 'text', text: 'x' })),
      {
        type: 'cost-state',
        startTime: 1,
        totalAPIDuration: i,
        modelUsage: { m: { inputTokens: 2 * i, outputTokens: 2 * i } },
      },
    ],
  ],
  [
    'one call id',
    'codex',
    () => [codex('response_item', { type: 'function_call', name: 'shell', call_id: 'c' })],
  ],
  [
    'one result',
    'codex',
    (i) => [codex('response_item', { type: 'function_call_output', call_id: 'c', output: `${i}` })],
  ],
  [
    'many rollbacks',
    'codex',
    (i, n) => [
      codex('event_msg', { type: 'user_message', message: `a${i}` }),
      codex('event_msg', { type: 'user_message', message: `b${i}` }),
      codex('event_msg', { type: 'thread_rolled_back', num_turns: i === n - 1 ? n : 1 }),
    ],
  ],
  [
    'unclosed braces',
    'codex',
    (i, n) =>
      i > 0
        ? []
        : [
            codex('response_item', {
              type: 'message',
              role: 'user',
              content: [
                { type: 'input_text', text: `<subagent_notification>${'{'.repeat(8 * n)}` },
              ],
            }),
          ],
  ],
  [
    'many rewinds',
    'gemini-cli',
    (i, n) =>
      i === 0
        ? [geminiHeader, ...Array.from({ length: n }, (_, m) => gemini(`m${m}`, 'info', `${m}`))]
        : [{ $rewindTo: `m${n - i}` }],
  ],
  [
    'results that do not name their call',
    'gemini-cli',
    (i) => [
      ...(i === 0 ? [geminiHeader] : []),
      gemini(`m${i}`, 'gemini', '', { toolCalls: [{ id: `c${i}`, name: 'ls', args: {} }] }),
      gemini(`r${i}`, 'user', [{ functionResponse: { name: 'ls', response: { output: `${i}` } } }]),
    ],
  ],
  [
    'one result',
    'gemini-cli',
    (i) => [
      ...(i === 0 ? [geminiHeader] : []),
      gemini(`r${i}`, 'user', [
        { functionResponse: { id: 'c', name: 'ls', response: { output: `${i}` } } },
      ]),
    ],
  ],
  [
    'all calls in one message',
    'gemini-cli',
    (i) => [
      ...(i === 0 ? [geminiHeader, gemini('m', 'gemini', 'x'), gemini('k', 'gemini', 'y')] : []),
      gemini('m', 'gemini', 'x', { toolCalls: [{ id: `c${i}`, name: 'ls', args: {} }] }),
    ],
  ],
  [
    'a compaction of copies',
    'gemini-cli',
    (i, n) =>
      i < n - 1
        ? [...(i === 0 ? [geminiHeader] : []), gemini(`m${i}`, 'user', `x${i}`)]
        : [
            {
              $set: {
                messages: [
                  snapshot,
                  ...Array.from({ length: n }, (_, m) => gemini(`k${m}`, 'user', `y${m}`)),
                ],
              },
            },
          ],
  ],
  [
    'a context of empty lines',
    'gemini-cli',
    (i, n) =>
      i > 0
        ? []
        : [
            geminiHeader,
            gemini('m', 'user', `<session_context>Workspace Directory:**${'\n'.repeat(8 * n)}`),
          ],
  ],
  ['many branches', 'pi', (i) => [pi(`e${i}`, i > 0 ? 'e0' : null, asked('x'))]],
  ['one id', 'pi', () => [pi('e', null, asked('x'))]],
  [
    'one call id',
    'pi',
    (i) => [
      pi(`e${i}`, i > 0 ? `e${i - 1}` : null, {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: {} }],
      }),
    ],
  ],
  [
    'one call id',
    'opencode',
    (i) => [
      { message: { id: `m${1e6 + i}`, role: 'assistant' } },
      {
        part: {
          id: `p${i}`,
          messageID: `m${1e6 + i}`,
          type: 'tool',
          tool: 'bash',
          callID: 'c',
          state: { status: 'completed', input: {}, output: 'x' },
        },
      },
    ],
  ],
  [
    'unclosed reports',
    'opencode',
    (i, n) =>
      i > 0
        ? []
        : [
            { message: { id: 'm', role: 'assistant' } },
            {
              part: {
                id: 'p',
                messageID: 'm',
                type: 'tool',
                tool: 'task',
                callID: 'c',
                state: { status: 'completed', input: {}, output: '<task_result>'.repeat(4 * n) },
              },
            },
          ],
  ],
  [
    'unknown facts',
    'acp:qwen',
    (i) => [acp({ type: 'metadata_update', metadata: { [`k${i}`]: i } })],
  ],
  [
    'updates of one block',
    'acp:qwen',
    (i) =>
      i === 0
        ? [
            acp({
              type: 'block_start',
              block: { type: 'assistant_text', id: 'b', timestamp: at, content: '' },
            }),
          ]
        : [acp({ type: 'block_update', blockId: 'b', updates: { content: `${i}` } })],
  ],
];

it.each(CASES)('%s of %s takes linear time', { timeout: 300_000 }, (_name, type, make) => {
  const records = Array.from({ length: COUNT }, (_, index) => make(index, COUNT)).flat();
  const main = records.map((record) => JSON.stringify(record)).join('\n');

  const started = process.cpuUsage();
  const parsed = parseTranscripts(type, { main });
  const { user, system } = process.cpuUsage(started);

  expect((user + system) / 1e6).toBeLessThan(MOST_CPU_SECONDS);
  expect(parsed.skipped.lines).toBe(0);
});
