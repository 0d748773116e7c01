import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  applyStreamEvent,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  parseTranscripts,
} from '@robota-sdk/agent-transcript';
import { findAgentSessions, locateTranscript } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../drivers/temporary-home.ts';
import { Dice, damage } from '../../mutations.ts';
import { unnamedIn } from '../../sound-ids.ts';

const USAGE = { input: 10, output: 5, cacheRead: 2, cacheWrite: 1, cost: { total: 0.5 } };

const header = {
  type: 'session',
  version: 3,
  id: 's1',
  timestamp: '2026-01-01T00:00:00.000Z',
  cwd: '/work',
};

function entry(id: string, parentId: string | null, fields: object): object {
  return {
    type: 'message',
    id,
    parentId,
    timestamp: `2026-01-01T00:00:0${id.at(-1)}.000Z`,
    ...fields,
  };
}

const user = (text: string) => ({ message: { role: 'user', content: [{ type: 'text', text }] } });
const assistant = (content: object[], more: object = {}) => ({
  message: { role: 'assistant', model: 'm', usage: USAGE, content, ...more },
});
const toolCall = { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } };
const result = {
  message: {
    role: 'toolResult',
    toolCallId: 'c1',
    content: [{ type: 'text', text: 'a.txt' }],
    isError: false,
  },
};

const lines = [
  header,
  entry('e1', null, user('One')),
  entry('e2', 'e1', assistant([{ type: 'thinking', thinking: 'Hm' }, toolCall])),
  entry('e3', 'e2', result),
  entry('e4', 'e3', assistant([{ type: 'text', text: 'Done' }])),
  entry('e5', 'e4', user('Left behind')),
  entry('e6', 'e4', {
    type: 'compaction',
    summary: 'Short',
    firstKeptEntryId: 'e4',
    tokensBefore: 9,
  }),
  entry('e7', 'e6', { type: 'session_info', name: 'Title' }),
  entry('e8', 'e7', assistant([], { stopReason: 'error', errorMessage: 'refused' })),
];

const text = (records: readonly object[]) =>
  `${records.map((one) => JSON.stringify(one)).join('\n')}\n`;

describe('a pi session', () => {
  it('is the path from its first entry to its last; other entries are superseded', () => {
    const parsed = parseTranscripts('pi', { main: text(lines) });

    expect(parsed.blocks.map(({ id, type }) => `${type} ${id}`)).toEqual([
      'user_message e1',
      'thinking e2:0',
      'tool_use c1',
      'tool_result c1:result',
      'assistant_text e4:0',
      'system e6',
      'system e8:error',
    ]);
    expect(parsed.blocks[0]).toEqual({
      type: 'user_message',
      id: 'e1',
      timestamp: '2026-01-01T00:00:01.000Z',
      content: 'One',
    });
    expect(parsed.blocks[2]).toMatchObject({ status: 'success', input: { command: 'ls' } });
    expect(parsed.blocks[5]?.metadata).toEqual({
      compaction: { summary: 'Short', preTokens: 9, keptBlockIds: ['e4:0'] },
    });
    expect(parsed.superseded).toMatchObject([
      { reason: 'rewind', afterBlockId: 'e4:0', blocks: [{ id: 'e5' }] },
    ]);
    expect(parsed.metadata).toMatchObject({ sessionId: 's1', title: 'Title', costUSD: 1.5 });
    expect(parsed.requests).toHaveLength(3);
    expect(parsed.requests?.[0]).toMatchObject({ promptTokens: 13, costUSD: 0.5, model: 'm' });
  });

  it('of the first version is a list of entries', () => {
    const old = [
      { type: 'session', id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/work' },
      { type: 'message', timestamp: '2026-01-01T00:00:01.000Z', ...user('One') },
      {
        type: 'message',
        timestamp: '2026-01-01T00:00:02.000Z',
        ...assistant([{ type: 'text', text: 'Two' }]),
      },
    ];

    const { blocks, superseded } = parseTranscripts('pi', { main: text(old) });

    expect(blocks.map(({ type }) => type)).toEqual(['user_message', 'assistant_text']);
    expect(superseded).toEqual([]);
  });

  it("that was forked does not count its parent's requests", () => {
    const fork = {
      ...header,
      parentSession: '/home/.pi/agent/sessions/--work--/2026-01-01T00-00-00-000Z_s0.jsonl',
      timestamp: '2026-01-01T00:00:03.000Z',
    };

    const parsed = parseTranscripts('pi', { main: text([fork, ...lines.slice(1)]) });
    const { requests, metadata } = parsed;

    expect(requests?.map(({ isCopy }) => isCopy)).toEqual([true, undefined, undefined]);
    expect(metadata.forkedFrom).toBe('s0');
  });

  it('is read without an error, however damaged', () => {
    const dice = new Dice(7);
    const whole = lines.map((line) => JSON.stringify(line));
    for (let round = 0; round < 800; round++) {
      const main = damage(whole, dice).join('\n');
      const parsed = parseTranscripts('pi', { main });
      expect(unnamedIn(parsed)).toEqual([]);
      expect(new Set(parsed.blocks.map(({ id }) => id)).size).toBe(parsed.blocks.length);
      expect(parseTranscripts('pi', { main })).toEqual(parsed);
    }
  });

  it('is found by its directory and its id', async () => {
    const home = temporaryFolder();
    const folder = join(home, '.pi/agent/sessions/--work--');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, '2026-01-01T00-00-00-000Z_s1.jsonl');
    writeFileSync(path, text(lines));
    const found = [];
    for await (const one of findAgentSessions({ agents: ['pi'], home, environment: {} }))
      found.push(one);

    expect(found).toMatchObject([{ type: 'pi', id: 's1', path, cwd: '/work', preview: 'One' }]);
    expect(await locateTranscript('pi', 's1', { home, environment: {} })).toBe(path);
    expect(await locateTranscript('pi', 's2', { home, environment: {} })).toBeUndefined();
  });

  it('is streamed from deltas', () => {
    const translator = createStreamTranslator('pi', () => '2026-01-01T00:00:00.000Z');
    const delta = (words: string) => ({
      type: 'message_update',
      assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta: words },
    });
    const events = [
      header,
      delta('Hel'),
      delta('lo'),
      { type: 'message_end', ...assistant([{ type: 'text', text: 'Hello' }, toolCall]) },
      { type: 'tool_execution_start', toolCallId: 'c1' },
      { type: 'message_end', ...result },
      null,
      'noise',
    ].flatMap((event) => translator.translate(event));
    const state = [...events, ...translator.end()].reduce(applyStreamEvent, EMPTY_CONVERSATION);

    expect(state.blocks).toMatchObject([
      { type: 'assistant_text', content: 'Hello', model: 'm' },
      { type: 'tool_use', id: 'c1', status: 'success' },
      { type: 'tool_result', output: 'a.txt' },
    ]);
  });
});
