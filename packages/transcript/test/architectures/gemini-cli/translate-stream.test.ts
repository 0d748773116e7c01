import {
  applyStreamEvent,
  type ConversationState,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';

const NOW = '2026-01-01T00:00:00.000Z';

describe('stream-json', () => {
  it('follows the flow of a reply with a tool: text, tool, result, totals', () => {
    const events = translate(
      { type: 'init', timestamp: NOW, session_id: 's1', model: 'gemini-x' },
      { type: 'message', timestamp: NOW, role: 'assistant', content: 'I will ', delta: true },
      { type: 'message', timestamp: NOW, role: 'assistant', content: 'read. ', delta: true },
      {
        type: 'tool_use',
        timestamp: NOW,
        tool_name: 'read_file',
        tool_id: 't1',
        parameters: { file_path: 'a' },
      },
      { type: 'tool_result', timestamp: NOW, tool_id: 't1', status: 'success', output: 'shown' },
      {
        type: 'result',
        timestamp: NOW,
        status: 'success',
        stats: { total_tokens: 12, input_tokens: 10, output_tokens: 2, cached: 4 },
      },
    );

    const text = { type: 'assistant_text', id: 'live:main:0', timestamp: NOW, model: 'gemini-x' };
    const tool = {
      type: 'tool_use',
      id: 't1',
      timestamp: NOW,
      toolName: 'read_file',
      toolUseId: 't1',
      input: { file_path: 'a' },
    };
    const main = { conversationId: 'main' };
    expect(events).toEqual([
      { type: 'metadata_update', metadata: { sessionId: 's1', model: 'gemini-x' }, ...main },
      { type: 'block_start', block: { ...text, content: '' }, ...main },
      { type: 'text_delta', blockId: 'live:main:0', delta: 'I will ', ...main },
      { type: 'text_delta', blockId: 'live:main:0', delta: 'read. ', ...main },
      {
        type: 'block_complete',
        blockId: 'live:main:0',
        block: { ...text, content: 'I will read.' },
        ...main,
      },
      { type: 'block_start', block: { ...tool, status: 'pending' }, ...main },
      { type: 'block_update', blockId: 't1', updates: { status: 'running' }, ...main },
      { type: 'block_complete', blockId: 't1', block: { ...tool, status: 'success' }, ...main },
      {
        type: 'block_complete',
        blockId: 't1:result',
        block: {
          type: 'tool_result',
          id: 't1:result',
          timestamp: NOW,
          toolUseId: 't1',
          output: 'shown',
          isError: false,
        },
        ...main,
      },
      {
        type: 'metadata_update',
        metadata: {
          usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, totalTokens: 12 },
        },
        ...main,
      },
    ]);
  });

  it('shows warnings, errors and the error of a turn', () => {
    const state = fold(
      { type: 'error', severity: 'warning', message: 'Loop detected' },
      { type: 'error', severity: 'error', message: 'Blocked' },
      { type: 'result', status: 'error', error: { type: 'FatalError', message: 'Gone' } },
    );

    expect(state.blocks).toMatchObject([
      { subtype: 'status', message: 'Loop detected', metadata: { level: 'warning' } },
      { subtype: 'error', message: 'Blocked' },
      { subtype: 'error', message: 'Gone', metadata: { type: 'FatalError' } },
    ]);
  });

  it('uses the error of a failed tool as its output', () => {
    const state = fold(
      { type: 'tool_use', tool_name: 'read_file', tool_id: 't1', parameters: {} },
      {
        type: 'tool_result',
        tool_id: 't1',
        status: 'error',
        output: 'No.',
        error: { message: 'File not found: a' },
      },
    );

    expect(briefs(state.blocks)).toEqual([
      'read_file: error',
      'result: "File not found: a" (error)',
    ]);
  });

  it('shows an agent’s call as a subagent, without a result', () => {
    const state = fold(
      {
        type: 'tool_use',
        tool_name: 'invoke_agent',
        tool_id: 't1',
        parameters: { agent_name: 'helper', prompt: 'Look' },
      },
      { type: 'tool_result', tool_id: 't1', status: 'success' },
    );

    expect(state.blocks).toEqual([
      {
        type: 'subagent',
        id: 'subagent:t1',
        timestamp: NOW,
        subagentId: 't1',
        name: 'helper',
        input: 'Look',
        status: 'success',
        toolUseId: 't1',
      },
    ]);
  });

  it('shows no block for blank text', () => {
    expect(
      fold({ type: 'message', role: 'assistant', content: ' \n', delta: true }).blocks,
    ).toEqual([]);
  });

  it('completes open text and leaves open calls pending when the program stops', () => {
    const state = fold(
      { type: 'tool_use', tool_name: 'read_file', tool_id: 't1', parameters: {} },
      { type: 'message', role: 'assistant', content: 'Half a', delta: true },
    );

    expect(briefs(state.blocks)).toEqual(['read_file: pending', 'text: Half a']);
  });

  it.each([
    null,
    'Memory is currently empty.',
    7,
    [],
    {},
    { type: 'oracle' },
    { type: 'tool_use' },
    { type: 'message', role: 'user' },
  ])('ignores %j', (event) => {
    expect(translate(event)).toEqual([]);
  });
});

describe('ACP', () => {
  it('shows thoughts, text and a tool, and adds up the tokens of the turns', () => {
    const state = fold(
      {
        jsonrpc: '2.0',
        id: 2,
        result: { sessionId: 's1', models: { currentModelId: 'gemini-x' } },
      },
      update({
        sessionUpdate: 'agent_thought_chunk',
        content: { type: 'text', text: '**Plan**\nread it.' },
      }),
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Reading' } }),
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: ' it.' } }),
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 'read_file__read_file_1794789852090_0',
        status: 'in_progress',
        title: 'a.txt',
        kind: 'read',
        locations: [{ path: '/a.txt' }],
      }),
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'read_file__read_file_1794789852090_0',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'alpha' } }],
      }),
      turnEnd(10, 2),
      turnEnd(20, 3),
    );

    expect(briefs(state.blocks)).toEqual([
      'thinking: Plan: read it.',
      'text: Reading it.',
      'read_file: success',
      'result: "alpha"',
    ]);
    expect(state.blocks[2]).toMatchObject({
      description: 'a.txt',
      metadata: { kind: 'read', locations: [{ path: '/a.txt' }], argumentsLost: true },
    });
    expect(state.metadata).toEqual({
      sessionId: 's1',
      model: 'gemini-x',
      usage: { inputTokens: 30, outputTokens: 5, totalTokens: 35 },
    });
  });

  const asked = {
    jsonrpc: '2.0',
    id: 0,
    method: 'session/request_permission',
    params: {
      options: [],
      toolCall: {
        toolCallId: 'write_file__write_file_1794789865878_0',
        status: 'pending',
        title: 'Writing to n.txt',
      },
    },
  };

  it('shows a call that waits for permission, with the request id', () => {
    expect(fold(asked).blocks).toMatchObject([
      {
        type: 'tool_use',
        toolName: 'write_file',
        status: 'pending',
        metadata: { permissionRequestId: 0 },
      },
    ]);
  });

  it.each([
    [
      'what comes next',
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Denied.' } }),
    ],
    ['the end of the turn', turnEnd(1, 1)],
    [
      'the answer of the host',
      { jsonrpc: '2.0', id: 0, result: { outcome: { outcome: 'selected', optionId: 'cancel' } } },
    ],
  ])('recognises a refused call by %s', (_, next) => {
    expect(fold(asked, next).blocks[0]).toMatchObject({ toolName: 'write_file', status: 'error' });
  });

  it('shows an allowed call as running until its update', () => {
    const allowed = {
      jsonrpc: '2.0',
      id: 0,
      result: { outcome: { outcome: 'selected', optionId: 'proceed_once' } },
    };
    const translator = createStreamTranslator('gemini-cli', () => NOW);
    const state = [asked, allowed]
      .flatMap((event) => translator.translate(event))
      .reduce(applyStreamEvent, EMPTY_CONVERSATION);

    expect(state.blocks).toMatchObject([{ status: 'running' }]);
  });

  it('shows the prompts of the host, and only user messages of a replay', () => {
    const state = fold(
      {
        jsonrpc: '2.0',
        id: 3,
        method: 'session/prompt',
        params: { prompt: [{ type: 'text', text: 'Go' }] },
      },
      ...['<session_context>…', '[Function Response: read_file]', 'Earlier'].map((text) =>
        update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } }),
      ),
    );

    expect(briefs(state.blocks)).toEqual(['user: Go', 'user: Earlier']);
  });

  it('shows a failed request as an error, and a change of mode as metadata', () => {
    const state = fold(
      update({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: '[MODE_UPDATE] yolo' },
      }),
      { jsonrpc: '2.0', id: 3, error: { code: 429, message: 'Slow down' } },
    );

    expect(state.blocks).toMatchObject([
      { subtype: 'error', message: 'Slow down', metadata: { code: 429 } },
    ]);
    expect(state.metadata.mode).toBe('yolo');
  });

  it.each([
    'read_file_1794778398264_0',
    'read_file-1794790678627-ebd4fa92b67df',
    'read_file__read_file_1794789852090_0',
  ])('finds the name of a tool in %s', (toolCallId) => {
    const state = fold(update({ sessionUpdate: 'tool_call', toolCallId, title: 'a.txt' }));

    expect(state.blocks).toMatchObject([{ toolName: 'read_file' }]);
  });

  it('accepts an update without an envelope', () => {
    const state = fold({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'Hi' },
    });

    expect(briefs(state.blocks)).toEqual(['text: Hi']);
  });
});

function update(fields: object): object {
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's1', update: fields } };
}

function turnEnd(input: number, output: number): object {
  const token_count = { input_tokens: input, output_tokens: output };
  return {
    jsonrpc: '2.0',
    id: 3,
    result: { stopReason: 'end_turn', _meta: { quota: { token_count } } },
  };
}

function translate(...events: readonly unknown[]): StreamEvent[] {
  const translator = createStreamTranslator('gemini-cli', () => NOW);
  return [...events.flatMap((event) => translator.translate(event)), ...translator.end()];
}

function fold(...events: readonly unknown[]): ConversationState {
  return translate(...events).reduce(applyStreamEvent, EMPTY_CONVERSATION);
}
