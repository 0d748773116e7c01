import {
  applyStreamEvent,
  type ConversationState,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { recording } from './recordings.ts';

const NOW = '2000-01-01T00:00:00.000Z';

describe('a streamed reply', () => {
  it('starts, grows and completes under its transcript id', () => {
    const events = translateAll(recording('2.1.325/text-partial').live);

    expect(events.filter((event) => event.type !== 'metadata_update')).toEqual([
      {
        type: 'block_start',
        block: {
          type: 'assistant_text',
          id: 'msg_fakey09dcjh91o:0',
          timestamp: NOW,
          content: '',
        },
        conversationId: 'main',
      },
      {
        type: 'text_delta',
        blockId: 'msg_fakey09dcjh91o:0',
        delta: 'Hello from the fake ',
        conversationId: 'main',
      },
      {
        type: 'text_delta',
        blockId: 'msg_fakey09dcjh91o:0',
        delta: 'model.',
        conversationId: 'main',
      },
      {
        type: 'block_complete',
        blockId: 'msg_fakey09dcjh91o:0',
        block: {
          type: 'assistant_text',
          id: 'msg_fakey09dcjh91o:0',
          timestamp: '2026-11-15T21:18:12.938Z',
          content: 'Hello from the fake model.',
          model: 'claude-opus-5-5',
        },
        conversationId: 'main',
      },
    ]);
  });

  it('shows a tool as pending, running and finished, then its result', () => {
    const events = translateAll(recording('2.1.325/bash').live);

    const told = events.flatMap((event) => {
      if (event.type === 'metadata_update' || event.type === 'text_delta') return [];
      if (event.type === 'block_update') return [`update ${JSON.stringify(event.updates)}`];
      return [`${event.type} ${briefs([event.block])[0]}`];
    });
    expect(told).toEqual([
      'block_start Bash toolu_000072hhbkstfo: pending',
      'update {"status":"running"}',
      'block_complete Bash toolu_000072hhbkstfo: success',
      'block_complete result toolu_000072hhbkstfo: "out\\nerr"',
      'block_complete text: Done with bash.',
    ]);
  });

  it('announces a streamed tool before its arguments are known, and fills them in', () => {
    const translator = createStreamTranslator('claude-agent-sdk', () => NOW);
    const partial = [
      streamed({ type: 'message_start', message: { id: 'm1' } }),
      streamed({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't1', name: 'Bash', input: {} },
      }),
    ];

    const announced = fold(partial.flatMap((event) => translator.translate(event)));
    const filled = fold(
      translator.translate(
        assistant('m1', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }),
      ),
      announced,
    );

    expect(announced.blocks).toMatchObject([{ id: 't1', input: {}, status: 'pending' }]);
    expect(filled.blocks).toMatchObject([
      { id: 't1', input: { command: 'ls' }, status: 'running' },
    ]);
  });

  it('supersedes abandoned blocks when the request is retried', () => {
    const state = fold(
      translateAll([
        streamed({ type: 'message_start', message: { id: 'm1' } }),
        streamed({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'thinking', thinking: '' },
        }),
        streamed({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'thinking_delta', thinking: 'Hm' },
        }),
        streamed({
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'text', text: '' },
        }),
        streamed({
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'text_delta', text: 'Hal' },
        }),
        {
          ...streamed({ type: 'message_stop' }),
          abandoned_blocks: { api_message_id: 'm1', from_block_index: 0 },
        },
        streamed({ type: 'message_start', message: { id: 'm2' } }),
        streamed({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'text', text: '' },
        }),
        streamed({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: 'Hello' },
        }),
        assistant('m2', { type: 'text', text: 'Hello' }),
      ]),
    );

    expect(briefs(state.blocks)).toEqual(['text: Hello']);
    expect(state.superseded.map((branch) => [branch.reason, briefs(branch.blocks)])).toEqual([
      ['retry', ['thinking: Hm', 'text: Hal']],
    ]);
  });

  it('supersedes the open blocks of a message when another replaces it', () => {
    const state = fold(
      translateAll([
        streamed({ type: 'message_start', message: { id: 'm1' } }),
        streamed({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'text', text: 'Ha' },
        }),
        streamed({ type: 'message_start', message: { id: 'm2' } }),
        assistant('m2', { type: 'text', text: 'Hello' }),
      ]),
    );

    expect(briefs(state.blocks)).toEqual(['text: Hello']);
    expect(state.superseded).toMatchObject([{ reason: 'retry', afterBlockId: null }]);
  });

  it('completes open text with the received content when the program ends', () => {
    const state = fold(
      translateAll([
        streamed({ type: 'message_start', message: { id: 'm1' } }),
        streamed({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'text', text: '' },
        }),
        streamed({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: 'Once' },
        }),
        assistant('m9', { type: 'tool_use', id: 't1', name: 'Bash', input: {} }),
      ]),
    );

    expect(briefs(state.blocks)).toEqual(['text: Once', 'Bash t1: pending']);
  });

  it('separates the streams of main and subagent', () => {
    const state = fold(
      translateAll([
        assistant('m1', { type: 'tool_use', id: 'a1', name: 'Agent', input: { prompt: 'Go' } }),
        streamed({ type: 'message_start', message: { id: 'm2' } }),
        streamed({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'text', text: '' },
        }),
        { ...streamed({ type: 'message_start', message: { id: 's1' } }), parent_tool_use_id: 'a1' },
        {
          ...streamed({
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'text', text: '' },
          }),
          parent_tool_use_id: 'a1',
        },
        streamed({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: 'main' },
        }),
        {
          ...streamed({
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'sub' },
          }),
          parent_tool_use_id: 'a1',
        },
      ]),
    );

    expect(briefs(state.blocks)).toEqual(['subagent a1 -: pending', 'text: main']);
    expect(state.subagents.map(({ id, blocks }) => [id, briefs(blocks)])).toEqual([
      ['a1', ['text: sub']],
    ]);
  });
});

describe('the session', () => {
  it("emits the program's metadata at each turn, and its totals afterwards", () => {
    const events = translateAll(recording('2.1.325/sji-twoturn').live);

    const told = events.filter((event) => event.type === 'metadata_update');
    expect(told.map(({ metadata }) => [metadata.model, metadata.costUSD])).toEqual([
      ['claude-opus-5-5', undefined],
      [undefined, 0.013305999999999998],
      ['claude-opus-5-5', undefined],
      [undefined, 0.040563],
    ]);
    expect(fold(events).metadata.usage).toEqual({
      inputTokens: 30,
      outputTokens: 99,
      cacheReadTokens: 15,
      cacheWriteTokens: 7692,
      totalTokens: 7836,
    });
  });

  it('recognises an error reply although its result says success', () => {
    const state = fold(translateAll(recording('2.1.325/e400').live));

    expect(briefs(state.blocks)).toEqual(['error: API Error: 400 messages: bad things']);
    expect(state.metadata.lastResult).toEqual({
      subtype: 'success',
      isError: true,
      terminalReason: 'api_error',
      apiErrorStatus: 400,
    });
  });

  it('shows that a tool waits for permission', () => {
    const { live } = recording('2.1.325/sji-perm-deny');
    const asked = live.findIndex((event) => (event as { type: string }).type === 'control_request');

    const state = fold(translateAll(live.slice(0, asked + 1)));

    expect(state.blocks.at(-1)).toMatchObject({
      type: 'tool_use',
      status: 'pending',
      metadata: { permissionRequestId: expect.any(String) },
    });
  });

  it("uses a subagent's own id as soon as it is known", () => {
    const events = translateAll(recording('2.1.325/agentfg').live);

    const named = events.find(
      (event) => event.type === 'block_update' && 'subagentId' in event.updates,
    );
    expect(named).toEqual({
      type: 'block_update',
      blockId: 'subagent:toolu_000131ga360gqx',
      updates: { subagentId: 'a344466d909ec5324' },
      conversationId: 'main',
    });
    expect(new Set(events.map((event) => event.conversationId))).toEqual(
      new Set(['main', 'a344466d909ec5324']),
    );
  });

  it('tracks a background agent to its end', () => {
    const started = {
      type: 'system',
      subtype: 'task_started',
      task_id: 'abc',
      tool_use_id: 'a1',
      is_backgrounded: true,
    };
    const launched = {
      type: 'user',
      uuid: 'u1',
      message: { content: [{ type: 'tool_result', tool_use_id: 'a1', content: 'ok' }] },
      tool_use_result: { status: 'async_launched', agentId: 'abc' },
    };
    const ended = {
      type: 'system',
      subtype: 'task_notification',
      task_id: 'abc',
      tool_use_id: 'a1',
      status: 'completed',
      summary: 'Done',
    };
    const call = assistant('m1', {
      type: 'tool_use',
      id: 'a1',
      name: 'Agent',
      input: { prompt: 'Go' },
    });

    const running = fold(translateAll([call, started, launched]));
    const done = fold(translateAll([call, started, launched, ended]));

    expect(briefs(running.blocks)).toEqual(['subagent abc -: running']);
    expect(briefs(done.blocks)).toEqual(['subagent abc -: success', 'status: Done']);
  });

  it('supersedes everything when the conversation is cleared', () => {
    const state = fold(
      translateAll([
        assistant('m1', { type: 'text', text: 'One' }),
        assistant('m2', { type: 'text', text: 'Two' }),
        { type: 'conversation_reset', new_conversation_id: 's2' },
        assistant('m3', { type: 'text', text: 'Three' }),
      ]),
    );

    expect(briefs(state.blocks)).toEqual(['text: Three']);
    expect(state.superseded.map((branch) => [branch.reason, briefs(branch.blocks)])).toEqual([
      ['reset', ['text: One', 'text: Two']],
    ]);
    expect(state.metadata.sessionId).toBe('s2');
  });

  it('ignores unknown events', () => {
    expect(
      translateAll([null, 42, 'x', [], {}, { type: 'new' }, { type: 'system', subtype: 'new' }]),
    ).toEqual([]);
  });
});

function translateAll(live: readonly unknown[]): StreamEvent[] {
  const translator = createStreamTranslator('claude-agent-sdk', () => NOW);
  return [...live.flatMap((event) => translator.translate(event)), ...translator.end()];
}

function fold(events: readonly StreamEvent[], from: ConversationState = EMPTY_CONVERSATION) {
  return events.reduce(applyStreamEvent, from);
}

function streamed(event: object): object {
  return { type: 'stream_event', event, parent_tool_use_id: null };
}

function assistant(id: string, block: object): object {
  const message = { id, role: 'assistant', content: [block] };
  return { type: 'assistant', message, parent_tool_use_id: null, uuid: `${id}-line` };
}
