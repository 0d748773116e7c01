import {
  applyStreamEvent,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  parseGeminiTranscriptFile,
  parseTranscripts,
  type RawSubagentTranscript,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { completeFromTranscript } from '../../../src/architectures/complete-from-transcript.ts';
import { readTail } from '../../../src/architectures/gemini-cli/read-tail.ts';
import { briefs } from './brief.ts';
import { GeminiChat, toolCall } from './gemini-chat.ts';
import { type Recording, recording } from './recordings.ts';

describe('a call that does not name the agent it started', () => {
  it('is linked to the thread that begins with its prompt', () => {
    const parsed = parse(chatWith(agentCall('t1', 'Look')), [thread('a1', 'Look')]);

    expect(linksOf(parsed.blocks)).toEqual([['t1', 'a1']]);
    expect(parsed.subagents.map(({ id, blocks }) => [id, briefs(blocks)])).toEqual([
      [
        'a1',
        ['session_start: Subagent helper started', 'user: Look', 'session_end: Subagent completed'],
      ],
    ]);
  });

  it('is linked to none when no thread begins with its prompt', () => {
    const parsed = parse(chatWith(agentCall('t1', 'Look')), [thread('a1', 'Look ')]);

    expect(linksOf(parsed.blocks)).toEqual([['t1', 't1']]);
    expect(parsed.subagents.map(({ id, blocks }) => [id, briefs(blocks)])).toEqual([
      ['a1', ['session_start: Subagent started', 'user: Look ']],
    ]);
  });

  it('does not take the thread that another call names', () => {
    const main = chatWith(agentCall('t1', 'Look'), agentCall('t2', 'Look', { agentId: 'a1' }));

    const parsed = parse(main, [thread('a1', 'Look'), thread('a2', 'Look')]);

    expect(linksOf(parsed.blocks)).toEqual([
      ['t1', 'a2'],
      ['t2', 'a1'],
    ]);
    expect(parsed.subagents.map(({ id }) => id)).toEqual(['a2', 'a1']);
  });

  it('does not take the thread of a call whose own thread is missing', () => {
    const main = chatWith(agentCall('t1', 'Look', { agentId: 'lost' }), agentCall('t2', 'Look'));

    expect(linksOf(parse(main, [thread('a1', 'Look')]).blocks)).toEqual([
      ['t1', 'lost'],
      ['t2', 'a1'],
    ]);
  });

  it('with a shared prompt is linked in order of time, each thread once', () => {
    const calls = ['t1', 't2', 't3'].map((id) => agentCall(id, 'Look'));
    const later = thread('a1', 'Look', '2026-01-01T00:00:09.000Z');
    const earlier = thread('a2', 'Look', '2026-01-01T00:00:08.000Z');

    for (const threads of [
      [later, earlier],
      [earlier, later],
    ]) {
      const parsed = parse(chatWith(...calls), threads);

      expect(linksOf(parsed.blocks)).toEqual([
        ['t1', 'a2'],
        ['t2', 'a1'],
        ['t3', 't3'],
      ]);
      expect(parsed.subagents.map(({ id }) => id)).toEqual(['a2', 'a1']);
    }
  });

  it('that ended before the thread began is linked only if there is no other', () => {
    const refused = agentCall('t1', 'Look', {
      status: 'cancelled',
      timestamp: '2026-01-01T00:00:05.000Z',
    });

    const parsed = parse(chatWith(refused, agentCall('t2', 'Look')), [
      thread('a1', 'Look', '2026-01-01T00:00:09.000Z'),
    ]);

    expect(linksOf(parsed.blocks)).toEqual([
      ['t1', 't1'],
      ['t2', 'a1'],
    ]);
  });

  it('may be in a thread, but never in the one it started', () => {
    const passedOn = new GeminiChat('a1', 'subagent')
      .user('s1', 'Look')
      .model('s2', '', { toolCalls: [agentCall('t2', 'Look')] });
    const outer = { id: 'a1', transcript: passedOn.text };

    const alone = parse(new GeminiChat().user('u1', 'Go'), [outer]);
    const both = parse(chatWith(agentCall('t1', 'Look')), [outer, thread('a2', 'Look')]);

    expect(alone.subagents.map(({ blocks }) => linksOf(blocks))).toEqual([[['t2', 't2']]]);
    expect(linksOf(both.blocks)).toEqual([['t1', 'a1']]);
    expect(both.subagents.map(({ id, blocks }) => [id, linksOf(blocks)])).toEqual([
      ['a1', [['t2', 'a2']]],
      ['a2', []],
    ]);
  });

  it('is linked when superseded, and in the program’s view', () => {
    const main = chatWith(agentCall('t1', 'Look')).user('u2', 'Undone');
    const raw = { main: main.text, subagents: [thread('a1', 'Look')] };
    const rewound = parse(main.rewindTo('u1'), raw.subagents);

    expect(rewound.superseded.map(({ blocks }) => linksOf(blocks))).toEqual([[['t1', 'a1']]]);
    expect(linksOf(parseGeminiTranscriptFile(raw, { view: 'program' }).blocks)).toEqual([
      ['t1', 'a1'],
    ]);
  });

  it('repeated after a rewind keeps the thread of its own time', () => {
    const main = chatWith(agentCall('t1', 'Look'))
      .rewindTo('u1')
      .user('u2', 'Go')
      .model('m2', '', { toolCalls: [agentCall('t2', 'Look')] });

    const parsed = parse(main, [
      thread('a2', 'Look', '2026-01-01T00:00:09.000Z'),
      thread('a1', 'Look', '2026-01-01T00:00:02.500Z'),
    ]);

    expect(linksOf(parsed.blocks)).toEqual([['t2', 'a2']]);
    expect(parsed.superseded.map(({ blocks }) => linksOf(blocks))).toEqual([[['t1', 'a1']]]);
  });

  it('cannot be read from the end of the chat alone', () => {
    const named = longChatWith(agentCall('t1', 'Look', { agentId: 'a1' }));
    const unnamed = longChatWith(agentCall('t1', 'Look'));

    expect(linksOf(readTail(named.lines, 4) ?? [])).toEqual([['t1', 'a1']]);
    expect(readTail(unnamed.lines, 4)).toBeUndefined();
    expect(readTail(unnamed.lines, 2)).toHaveLength(2);
  });

  it('shown live gets its thread at the end of the turn', () => {
    const id = 'invoke_agent__invoke_agent_1794777700440_0';
    const translator = createStreamTranslator('gemini-cli', () => '2026-01-01T00:00:00.000Z');
    const update = { sessionUpdate: 'tool_call', toolCallId: id, status: 'completed' };
    const told = { jsonrpc: '2.0', method: 'session/update', params: { update } };
    const live = translator.translate(told).reduce(applyStreamEvent, EMPTY_CONVERSATION);
    const parsed = parse(chatWith(agentCall(id, 'Look')), [thread('a1', 'Look')]);

    const completion = completeFromTranscript(live, parsed, '2026-01-01T00:00:00.000Z');
    const state = completion.reduce(applyStreamEvent, live);

    expect(linksOf(live.blocks)).toEqual([[id, id]]);
    expect(linksOf(state.blocks)).toEqual([[id, 'a1']]);
    expect(state.subagents.map((each) => each.id)).toEqual(['a1']);
  });
});

it.each(['10-subagent', '10-subagent:parallel'])(
  'reads %s alike without the names of the agents',
  (name) => {
    const whole = recording(name);

    // Without the names the lines are shorter, so they begin elsewhere.
    const { offsets: _shifted, ...parsed } = parseTranscripts('gemini-cli', withoutNames(whole));

    const { offsets: _offsets, ...expected } = parseTranscripts('gemini-cli', whole.raw);
    expect(parsed).toEqual(expected);
  },
);

it('links what the real program leaves unlinked over ACP, live too once the turn is over', () => {
  const { raw, live } = recording('25-acp-subagent');
  const translator = createStreamTranslator('gemini-cli', () => '2026-11-16T00:00:00.000Z');
  const shown = live
    .flatMap((message) => translator.translate(message))
    .reduce(applyStreamEvent, EMPTY_CONVERSATION);

  const parsed = parseTranscripts('gemini-cli', raw);
  const state = completeFromTranscript(shown, parsed, '2026-11-16T00:00:00.000Z').reduce(
    applyStreamEvent,
    shown,
  );

  const callId = 'invoke_agent__invoke_agent_1794794547576_0';
  const threadId = 'ff53ee14-ac36-4b89-8958-e92ed00af770';
  expect(linksOf(parsed.blocks)).toEqual([[callId, threadId]]);
  expect(linksOf(shown.blocks)).toEqual([[callId, callId]]);
  expect(linksOf(state.blocks)).toEqual([[callId, threadId]]);
  expect(state.subagents.map(({ id, blocks }) => [id, briefs(blocks)])).toEqual([
    [
      threadId,
      [
        'session_start: Subagent generalist started',
        'user: @@sub',
        'text: Answer to @@sub',
        expect.stringContaining('user: You have stopped calling tools'),
        'text: Answer to @@sub',
        'session_end: Subagent completed',
      ],
    ],
  ]);
});

function withoutNames({ raw }: Recording): Recording['raw'] {
  const main = raw.main.replaceAll(/"agentId":"[^"]+",/g, '');
  expect(main).not.toBe(raw.main);
  return { ...raw, main };
}

function agentCall(id: string, prompt: string, fields: object = {}) {
  const args = { agent_name: 'helper', prompt };
  return toolCall(id, { name: 'invoke_agent', args, ...fields });
}

function chatWith(...toolCalls: readonly object[]): GeminiChat {
  return new GeminiChat().user('u1', 'Go').model('m1', '', { toolCalls });
}

/** The call's block is the fourth from the end. */
function longChatWith(call: object): GeminiChat {
  const chat = new GeminiChat();
  for (let turn = 0; turn < 10; turn++) chat.user(`u${turn}`, 'Go').model(`m${turn}`, 'Went');
  chat.model('m10', '', { toolCalls: [call] });
  return chat.user('u11', 'On').model('m11', 'Gone').user('u12', 'Thanks');
}

function thread(id: string, prompt: string, startTime?: string): RawSubagentTranscript {
  const chat = new GeminiChat(id, 'subagent').user(`${id}-1`, prompt);
  const [header = '', ...messages] = chat.lines;
  const begun = startTime === undefined ? {} : { startTime };
  const record = { ...(JSON.parse(header) as object), ...begun };
  return { id, transcript: [JSON.stringify(record), ...messages].join('\n') };
}

function parse(main: GeminiChat, subagents: readonly RawSubagentTranscript[]) {
  return parseTranscripts('gemini-cli', { main: main.text, subagents });
}

/** The call and thread of every subagent block. */
function linksOf(blocks: ReturnType<typeof parse>['blocks']) {
  return blocks.flatMap((block) =>
    block.type === 'subagent' ? [[block.toolUseId, block.subagentId]] : [],
  );
}
