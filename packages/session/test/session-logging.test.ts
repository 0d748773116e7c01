import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { calls, fails, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';
import { RecordingLogger, startSession } from './session-kit.ts';

async function logOneTool(): Promise<RecordingLogger> {
  const sessionLogger = new RecordingLogger();
  const provider = scriptedProvider(
    calls({ id: 'c1', name: 'Look', args: { at: 'it' } }),
    says('Seen.', { deltas: ['Se', 'en.'] }),
  );
  const session = startSession(provider, {
    sessionLogger,
    sessionId: 's1',
    cwd: '/project',
    model: 'm',
    tools: [fakeTool('Look', () => 'a thing')],
    permissionMode: 'bypassPermissions',
  });
  await session.run('Look at it');
  return sessionLogger;
}

const scope = { executionId: expect.any(String), conversationId: expect.any(String) };

it('tells everything that happened, in order', async () => {
  const logger = await logOneTool();

  expect(logger.names()).toEqual([
    'session_init',
    'history_mutation',
    'prompt',
    'user',
    'pre_run',
    'context',
    'history_mutation',
    'provider_request',
    'provider_response_raw',
    'provider_response_normalized',
    'assistant_message_committed',
    'history_mutation',
    'tool_batch_started',
    'tool_execution_request',
    'tool_call',
    'tool_result',
    'tool_execution_result',
    'tool_message_committed',
    'history_mutation',
    'provider_request',
    'provider_stream_raw_delta',
    'text_delta',
    'provider_stream_raw_delta',
    'text_delta',
    'provider_response_raw',
    'provider_response_normalized',
    'assistant_message_committed',
    'history_mutation',
    'assistant',
    'context',
    'turn_end',
  ]);
});

describe('session_init', () => {
  it('says how the session was made', async () => {
    const logger = await logOneTool();

    expect(logger.all('session_init')).toEqual([
      {
        cwd: '/project',
        systemPrompt: 'You help.',
        systemPromptLength: 9,
        provider: 'scripted',
        model: 'm',
        permissionMode: 'bypassPermissions',
        toolSchemas: [fakeTool('Look').schema],
      },
    ]);
  });
});

describe('pre_run', () => {
  it('holds the provider, its native web state, the input and the history before it', async () => {
    const logger = await logOneTool();

    expect(logger.all('pre_run')).toEqual([
      {
        provider: 'scripted',
        model: 'm',
        nativeWebSearchSupported: false,
        nativeWebSearchEnabled: false,
        nativeWebFetchSupported: false,
        nativeWebFetchEnabled: false,
        input: 'Look at it',
        historyLength: 1,
        history: [expect.objectContaining({ role: 'system' })],
      },
    ]);
  });
});

describe('provider events', () => {
  it('hold what was asked: messages, tools, round and identifiers', async () => {
    const logger = await logOneTool();

    expect(logger.all('provider_request')[1]).toMatchObject({
      ...scope,
      round: 2,
      provider: 'scripted',
      model: 'm',
      messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant' }, { role: 'tool' }],
      tools: [{ name: 'Look' }],
    });
  });

  it('hold what came back, raw and normalized', async () => {
    const logger = await logOneTool();

    expect(logger.all('provider_response_raw')[0]).toMatchObject({
      ...scope,
      round: 1,
      response: { role: 'assistant' },
      responseKind: 'provider-normalized-message',
    });
    expect(logger.all('provider_response_normalized')[0]).toMatchObject({
      ...scope,
      provider: 'scripted',
      model: 'm',
      response: { role: 'assistant', toolCalls: [{ id: 'c1' }] },
      toolCallsCount: 1,
    });
  });

  it('hold the deltas in order with their sequence', async () => {
    const logger = await logOneTool();
    const deltas = logger.all('provider_stream_raw_delta').filter(({ delta }) => delta !== '\n\n');

    expect(deltas).toMatchObject([
      { ...scope, round: 2, sequence: expect.any(Number), delta: 'Se' },
      { ...scope, round: 2, sequence: expect.any(Number), delta: 'en.' },
    ]);
    expect(logger.all('text_delta').at(-1)).toEqual({ delta: 'en.' });
  });

  it('hold native payloads and server tools as the provider reports them', async () => {
    const sessionLogger = new RecordingLogger();
    const used: unknown[] = [];
    const provider: Provider = {
      name: 'native',
      async chat(_messages, options = {}) {
        options.onProviderNativeRawPayload?.({
          provider: 'native',
          apiSurface: 'messages',
          payloadKind: 'response',
          payload: { raw: true },
          sequence: 0,
        });
        options.onServerToolUse?.('web_search', { query: 'weather' });
        return createAssistantMessage('Sunny.');
      },
    };
    const session = startSession(provider, {
      sessionLogger,
      onServerToolUse: (name, input) => used.push([name, input]),
    });

    await session.run('Weather?');

    expect(sessionLogger.all('provider_native_raw_payload')).toMatchObject([
      {
        ...scope,
        round: 1,
        provider: 'native',
        apiSurface: 'messages',
        payloadKind: 'response',
        payload: { raw: true },
        sequence: 0,
      },
    ]);
    expect(sessionLogger.all('server_tool')).toMatchObject([
      { tool: 'web_search', query: 'weather' },
    ]);
    expect(used).toEqual([['web_search', { query: 'weather' }]]);
  });
});

describe('tool events', () => {
  it('hold the batch, the request, the result and the committed message', async () => {
    const logger = await logOneTool();

    expect(logger.all('tool_batch_started')).toMatchObject([
      { ...scope, round: 1, mode: 'parallel', maxConcurrency: 5, requestCount: 1, tools: ['Look'] },
    ]);
    expect(logger.all('tool_execution_request')).toMatchObject([
      {
        ...scope,
        round: 1,
        index: 0,
        toolName: 'Look',
        toolCallId: 'c1',
        parameters: { at: 'it' },
        ownerPath: [],
      },
    ]);
    expect(logger.all('tool_execution_result')).toMatchObject([
      { ...scope, toolName: 'Look', toolCallId: 'c1', success: true, result: 'a thing', index: 0 },
    ]);
    expect(logger.all('tool_message_committed')).toMatchObject([
      { ...scope, message: { role: 'tool', toolCallId: 'c1', content: 'a thing' } },
    ]);
  });
});

describe('history_mutation', () => {
  it('holds every change of the conversation', async () => {
    const logger = await logOneTool();
    const changes = logger.all('history_mutation');

    expect(changes.map(({ mutation, index }) => [mutation, index])).toEqual([
      ['set_system_message', undefined],
      ['append_message', 1],
      ['append_message', 2],
      ['append_message', 3],
      ['append_message', 4],
    ]);
  });

  it('holds clear, injection, restoration and a new system prompt too', () => {
    const sessionLogger = new RecordingLogger();
    const session = startSession(scriptedProvider(), { sessionLogger });
    session.injectMessage('user', 'hi');
    session.clearHistory();
    session.restoreMessages([createAssistantMessage('old')]);
    session.truncateHistory(1);
    session.updateSystemMessage('new');

    expect(sessionLogger.all('history_mutation').map(({ mutation }) => mutation)).toEqual([
      'set_system_message',
      'inject_message',
      'clear',
      'replace_all',
      'truncate',
      'set_system_message',
    ]);
  });
});

describe('assistant', () => {
  it('holds the answer, the history after it and its structure', async () => {
    const logger = await logOneTool();
    const [assistant] = logger.all('assistant');

    expect(assistant).toMatchObject({ content: 'Seen.', historyLength: 5 });
    expect(assistant?.history).toHaveLength(5);
    expect(assistant?.historyStructure).toMatchObject([
      { role: 'system', contentLength: 9, hasToolCalls: false, toolCallNames: [] },
      { role: 'user', contentLength: 10 },
      { role: 'assistant', hasToolCalls: true, toolCallNames: ['Look'] },
      { role: 'tool', contentLength: 7, metadata: { success: true } },
      { role: 'assistant', contentLength: 5 },
    ]);
  });
});

it('is not disturbed by a logger that throws or rejects', async () => {
  const notices: string[] = [];
  const onNotice = ({ message }: { message: string }) => void notices.push(message);
  const throwing = {
    log: () => {
      throw new Error('broken');
    },
  };
  const rejecting = { log: () => Promise.reject(new Error('broken')) };

  for (const sessionLogger of [throwing, rejecting]) {
    const session = startSession(scriptedProvider(says('Hi.')), { sessionLogger, onNotice });
    await expect(session.run('Hello')).resolves.toBe('Hi.');
  }

  expect(notices).toEqual([expect.stringContaining('broken'), expect.stringContaining('broken')]);
});

it('asks for the log to survive a loss of power after every run, answered or not', async () => {
  const synced: string[] = [];
  const sessionLogger = Object.assign(new RecordingLogger(), {
    sync: (sessionId: string) => void synced.push(sessionId),
  });
  const session = startSession(scriptedProvider(says('One.'), fails(new Error('down'))), {
    sessionId: 'kept',
    sessionLogger,
  });

  await session.run('1');
  const afterFirst = [...synced];
  await session.run('2').catch(() => undefined);

  expect([afterFirst, synced]).toEqual([['kept'], ['kept', 'kept']]);
});
