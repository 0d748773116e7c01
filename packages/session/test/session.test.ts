import { readdirSync } from 'node:fs';
import {
  type ContextWindowState,
  createAssistantMessage,
  type HistoryEntry,
  type Provider,
} from '@robota-sdk/agent-core';
import {
  calls,
  fails,
  fakeTool,
  says,
  scriptedProvider,
  strictProvider,
} from '@robota-sdk/agent-core/testing';
import {
  FileSessionLogger,
  type ISession,
  Session,
  type SessionRecord,
  type SessionRecordStore,
  SessionStore,
  SilentSessionLogger,
} from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { RecordingLogger, startSession, temporaryDirectory } from './session-kit.ts';

/** A provider that waits until it is aborted, after having said something. */
function hangingProvider(text: string): Provider {
  return {
    name: 'hanging',
    chat: (_messages, options = {}) =>
      new Promise((_resolve, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        options.onTextDelta?.(text);
      }),
  };
}

describe('run', () => {
  it('returns what the model said and counts the run', async () => {
    const session = startSession(scriptedProvider(says('One.'), says('Two.')));

    expect([await session.run('1'), await session.run('2')]).toEqual(['One.', 'Two.']);
    expect(session.getMessageCount()).toBe(2);
  });

  it('sends the system prompt once, in front of everything', async () => {
    const provider = scriptedProvider(says('One.'), says('Two.'));
    const session = startSession(provider);
    await session.run('1');
    await session.run('2');

    expect(provider.requests[1]?.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: You help.',
      'user: 1',
      'assistant: One.',
      'user: 2',
    ]);
  });

  it('streams text as it comes and keeps two sessions on one provider apart', async () => {
    const heard: string[] = [];
    const provider = scriptedProvider(
      says('for a', { deltas: ['for ', 'a'] }),
      says('for b', { deltas: ['for ', 'b'] }),
    );
    const first = startSession(provider, { onTextDelta: (delta) => heard.push(`1${delta}`) });
    const second = startSession(provider, { onTextDelta: (delta) => heard.push(`2${delta}`) });

    await Promise.all([first.run('a'), second.run('b')]);

    expect(heard.filter((delta) => delta.startsWith('1'))).toEqual(['1for ', '1a']);
    expect(heard.filter((delta) => delta.startsWith('2'))).toEqual(['2for ', '2b']);
    expect(provider).not.toHaveProperty('onTextDelta');
  });

  it('refuses a second run at the same time with session_busy', async () => {
    const session = startSession(scriptedProvider(says('One.'), says('Two.')));
    const first = session.run('1');

    await expect(session.run('2')).rejects.toMatchObject({ code: 'session_busy' });
    await expect(session.compact()).rejects.toMatchObject({ code: 'session_busy' });
    await expect(first).resolves.toBe('One.');
    await expect(session.run('2')).resolves.toBe('Two.');
  });

  it('has no cap on rounds, or the one of maxTurns', async () => {
    const rounds = Array.from({ length: 15 }, (_, index) =>
      calls({ id: `c${index}`, name: 'Step' }),
    );
    const options = { tools: [fakeTool('Step')], permissionMode: 'bypassPermissions' as const };
    const free = startSession(scriptedProvider(...rounds, says('Done.')), options);
    const capped = scriptedProvider(...rounds.slice(0, 2));
    const session = startSession(capped, { ...options, maxTurns: 2 });

    await expect(free.run('Go')).resolves.toBe('Done.');
    await expect(session.run('Go')).rejects.toMatchObject({ code: 'round_cap' });
    expect(capped.requests).toHaveLength(2);
    expect(session.getHistory().at(-1)?.metadata).toMatchObject({ errorCode: 'not_run' });
    expect(session.getLastTurn()).toMatchObject({ status: 'failed', endedBy: 'round_cap' });
  });

  it('gives up on a provider that shows no life', async () => {
    const silent: Provider = { name: 'silent', chat: () => new Promise(() => {}) };
    const retry = { maxRetries: 0 };

    await expect(startSession(silent, { providerTimeout: 20, retry }).run('Go')).rejects.toThrow(
      /idle/i,
    );
  });

  it('works without a store and without a logger, and writes nothing', async () => {
    const session = startSession(scriptedProvider(says('Hi.')), {
      sessionLogger: new SilentSessionLogger(),
    });

    await expect(session.run('Hello')).resolves.toBe('Hi.');
    await expect(session.shutdown()).resolves.toBeUndefined();
  });
});

describe('context', () => {
  it('is told exactly twice for a plain prompt: estimated, then exact', async () => {
    const updates: ContextWindowState[] = [];
    const used = { metadata: { inputTokens: 400, outputTokens: 100 } };
    const session = startSession(scriptedProvider(says('Hi.', used)), {
      contextMaxTokens: 1000,
      onContextUpdate: (state) => updates.push(state),
    });

    await session.run('Hello');

    expect(updates).toHaveLength(2);
    expect(updates[0]?.usedTokens).toBeGreaterThan(0);
    expect(updates[1]).toEqual({
      maxTokens: 1000,
      usedTokens: 500,
      usedPercentage: 50,
      remainingPercentage: 50,
    });
    expect(session.getContextState()).toEqual(updates[1]);
  });

  it('is told the estimate before the model is asked', async () => {
    const order: string[] = [];
    const provider: Provider = {
      name: 'p',
      async chat() {
        order.push('asked');
        return createAssistantMessage('Hi.');
      },
    };
    const session = startSession(provider, { onContextUpdate: () => order.push('told') });

    await session.run('Hello');

    expect(order).toEqual(['told', 'asked', 'told']);
  });

  it('is told again after a clear, which keeps the system message', async () => {
    const updates: ContextWindowState[] = [];
    const used = { metadata: { inputTokens: 400, outputTokens: 100 } };
    const session = startSession(scriptedProvider(says('Hi.', used)), {
      onContextUpdate: (state) => updates.push(state),
    });
    await session.run('Hello');

    session.clearHistory();

    expect(session.getHistory().map(({ role }) => role)).toEqual(['system']);
    expect(updates).toHaveLength(3);
    expect(updates[2]?.usedTokens).toBeLessThan(100);
  });
});

describe('abort', () => {
  it('does nothing when nothing runs', () => {
    const session = startSession(scriptedProvider());

    expect(() => session.abort()).not.toThrow();
    expect(session.isRunning()).toBe(false);
  });

  it('rejects with an AbortError and keeps the text that had arrived', async () => {
    const session = startSession(hangingProvider('Half an ans'), {
      onTextDelta: () => session.abort(),
    });

    const running = session.run('Hello');
    expect(session.isRunning()).toBe(true);

    await expect(running).rejects.toThrow(new DOMException('Aborted', 'AbortError'));
    expect(session.isRunning()).toBe(false);
    expect(session.getHistory().at(-1)).toMatchObject({
      role: 'assistant',
      content: 'Half an ans',
      state: 'interrupted',
    });
    expect(session.getMessageCount()).toBe(0);
  });

  it('reaches the tools and leaves a conversation that goes on', async () => {
    const provider = strictProvider(
      scriptedProvider(calls({ id: 'c1', name: 'Wait' }, { id: 'c2', name: 'Wait' }), says('On.')),
    );
    const session = startSession(provider, {
      permissionMode: 'bypassPermissions',
      tools: [
        fakeTool('Wait', (_parameters, { signal }) => {
          session.abort();
          return { success: false, error: signal.aborted ? 'told to stop' : 'not told' };
        }),
      ],
    });

    await expect(session.run('Wait')).rejects.toMatchObject({ name: 'AbortError' });
    await expect(session.run('Go on')).resolves.toBe('On.');
  });

  it('fires no StopFailure and logs no error', async () => {
    const heard: string[] = [];
    const sessionLogger = new RecordingLogger();
    const session = startSession(hangingProvider('x'), {
      sessionLogger,
      onTextDelta: () => session.abort(),
      hooks: {
        StopFailure: [
          { hooks: [{ type: 'function', run: () => ({ exitCode: heard.push('failed') && 0 }) }] },
        ],
      },
    });

    await expect(session.run('Hello')).rejects.toMatchObject({ name: 'AbortError' });

    expect(heard).toEqual([]);
    expect(sessionLogger.names()).not.toContain('error');
  });
});

describe('an error of the model', () => {
  it('is logged, leaves the history intact, is rethrown, and the session goes on', async () => {
    const sessionLogger = new RecordingLogger();
    const sessionStore = new SessionStore(temporaryDirectory());
    const session = startSession(
      scriptedProvider(says('One.'), fails(new Error('overloaded')), says('Two.')),
      {
        sessionLogger,
        sessionStore,
      },
    );
    await session.run('1');

    await expect(session.run('2')).rejects.toThrow('overloaded');

    expect(sessionLogger.all('error')).toMatchObject([{ message: 'overloaded', historyLength: 4 }]);
    expect(session.getHistory().map(({ content }) => content)).toEqual([
      'You help.',
      '1',
      'One.',
      '2',
    ]);
    expect(sessionStore.load(session.getSessionId())?.messages).toEqual(session.getHistory());
    await expect(session.run('3')).resolves.toBe('Two.');
    expect(session.getMessageCount()).toBe(2);
  });

  it('keeps what had been streamed when the connection dies', async () => {
    const session = startSession(scriptedProvider(fails(new Error('reset'), 'Half an ')));

    await expect(session.run('Hello')).rejects.toThrow('reset');

    expect(session.getHistory().at(-1)).toMatchObject({
      content: 'Half an ',
      state: 'interrupted',
    });
  });
});

describe('identity', () => {
  it('is the id that was given, or a fresh UUID', () => {
    const session: ISession = startSession(scriptedProvider(), { sessionId: 'my-session' });

    expect(session.sessionId).toBe('my-session');
    expect(startSession(scriptedProvider()).getSessionId()).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['../evil', '', 'a/b'])('refuses the id %j', (sessionId) => {
    expect(() => startSession(scriptedProvider(), { sessionId })).toThrow(
      expect.objectContaining({ code: 'invalid_session_id' }),
    );
  });

  it('works in the directory it was given, which is absolute', () => {
    expect(startSession(scriptedProvider(), { cwd: '/somewhere' }).getCwd()).toBe('/somewhere');
    expect(startSession(scriptedProvider()).getCwd()).toBe(process.cwd());
    expect(() => startSession(scriptedProvider(), { cwd: 'relative' })).toThrow(/absolute/);
  });
});

describe('history', () => {
  it('takes messages from outside without asking the model', async () => {
    const provider = scriptedProvider(says('Yes.'));
    const session = startSession(provider);
    session.injectMessage('user', 'Remember blue.');
    session.injectMessage('assistant', 'I will.');
    expect(provider.requests).toHaveLength(0);

    await session.run('Blue?');

    expect(provider.requests[0]?.map(({ content }) => content)).toEqual([
      'You help.',
      'Remember blue.',
      'I will.',
      'Blue?',
    ]);
  });

  it('shows events beside the messages, which alone reach the model', async () => {
    const provider = scriptedProvider(says('Hi.'));
    const session = startSession(provider);
    const event: HistoryEntry = {
      id: 'e1',
      timestamp: new Date(),
      category: 'event',
      type: 'tool-summary',
      data: { toolSummaries: [] },
    };
    session.addHistoryEntry(event);
    await session.run('Hello');

    expect(session.getFullHistory().map(({ category, type }) => `${category}/${type}`)).toEqual([
      'event/tool-summary',
      'chat/user',
      'chat/assistant',
    ]);
    expect(session.getFullHistory()[0]).toEqual(event);
    expect(provider.requests[0]).toHaveLength(2);
  });

  it('restores a saved conversation with its tool calls', async () => {
    const sessionStore = new SessionStore(temporaryDirectory());
    const first = startSession(scriptedProvider(calls({ id: 'c1', name: 'Look' }), says('Seen.')), {
      sessionStore,
      sessionId: 's1',
      tools: [fakeTool('Look')],
      permissionMode: 'bypassPermissions',
    });
    await first.run('Look');
    await first.shutdown();
    const provider = scriptedProvider(says('Still here.'));
    const second = startSession(strictProvider(provider), {
      sessionStore,
      sessionId: 's1',
      tools: [fakeTool('Look')],
    });
    second.restoreMessages(sessionStore.load('s1')?.messages as never);

    await second.run('And?');

    const carried = provider.requests[0]?.slice(1, -1);
    expect(carried).toEqual(first.getHistory().slice(1));
  });

  it('goes back to an earlier message', async () => {
    const session = startSession(scriptedProvider(says('One.'), says('Two.')));
    await session.run('1');
    await session.run('2');

    session.truncateHistory(3);

    expect(session.getHistory().map(({ content }) => content)).toEqual(['You help.', '1', 'One.']);
  });
});

describe('settings that change on the way', () => {
  it('are the model, the system message and the tools it shows', async () => {
    const provider = scriptedProvider(says('Hi.'));
    const tool = fakeTool('Look');
    const session = startSession(provider, { tools: [tool], model: 'first' });
    session.setModel('second');
    session.updateSystemMessage('You help better.');

    await session.run('Hello');

    expect(session.getModel()).toBe('second');
    expect(session.getSystemMessage()).toBe('You help better.');
    expect(session.getToolSchemas()).toEqual([tool.schema]);
    expect(provider.requestOptions[0]?.model).toBe('second');
    expect(provider.requests[0]?.[0]?.content).toBe('You help better.');
  });

  it('configure native web search once, whatever the provider is called', () => {
    const requests: unknown[] = [];
    const provider: Provider = {
      ...scriptedProvider(),
      configureNativeWebTools: (request) => {
        requests.push(request);
        return {} as never;
      },
    };

    startSession(provider);

    expect(requests).toEqual([{ webSearch: true }]);
  });
});

describe('saving', () => {
  it('keeps the record of the specification after every run', async () => {
    const sessionStore = new SessionStore(temporaryDirectory());
    const session = startSession(scriptedProvider(says('One.'), says('Two.')), {
      sessionStore,
      sessionId: 's1',
      cwd: '/project',
      tools: [fakeTool('Look')],
    });
    await session.run('1');
    const first = sessionStore.load('s1');
    await session.run('2');
    const second = sessionStore.load('s1');

    expect(second).toEqual({
      id: 's1',
      cwd: '/project',
      createdAt: first?.createdAt,
      updatedAt: expect.any(String),
      messages: session.getHistory(),
      history: session.getFullHistory(),
      systemPrompt: 'You help.',
      toolSchemas: [fakeTool('Look').schema],
      model: 'claude-sonnet-4-5',
      state: expect.objectContaining({ answers: 2, turn: null }),
    });
    expect(first?.messages).toHaveLength(3);
  });

  it('keeps fields of higher layers, a name and what an earlier run knew', async () => {
    const sessionStore = new SessionStore(temporaryDirectory());
    const existing: SessionRecord = {
      id: 's1',
      cwd: '/first',
      createdAt: '2020-01-01T00:00:00.000Z',
      updatedAt: '2020-01-01T00:00:00.000Z',
      messages: [],
      history: [],
      futureField: 7,
    };
    sessionStore.save(existing);
    const session = startSession(scriptedProvider(says('Hi.')), { sessionStore, sessionId: 's1' });
    await session.updateRecord({ backgroundTasks: [{ id: 't1' }] });
    await session.rename('my work');

    await session.run('Hello');

    expect(sessionStore.load('s1')).toMatchObject({
      cwd: '/first',
      createdAt: '2020-01-01T00:00:00.000Z',
      futureField: 7,
      backgroundTasks: [{ id: 't1' }],
      name: 'my work',
    });
  });

  it('forgets at once what was cleared or taken back', async () => {
    const sessionStore = new SessionStore(temporaryDirectory());
    const session = startSession(scriptedProvider(says('One.'), says('Two.')), {
      sessionStore,
      sessionId: 's1',
    });
    await session.run('1');
    await session.run('2');
    session.truncateHistory(3);
    await expect.poll(() => sessionStore.load('s1')?.messages).toHaveLength(3);

    session.clearHistory();

    await expect.poll(() => sessionStore.load('s1')?.messages).toHaveLength(1);
  });

  it('does not replace a record it never read by an empty one', async () => {
    const sessionStore = new SessionStore(temporaryDirectory());
    const first = startSession(scriptedProvider(says('Hi.')), { sessionStore, sessionId: 's1' });
    await first.run('Hello');
    await first.shutdown();
    const saved = sessionStore.load('s1');

    await startSession(scriptedProvider(), { sessionStore, sessionId: 's1' }).shutdown();

    expect(sessionStore.load('s1')).toEqual(saved);
  });

  it('that fails is told, and the answer is still given', async () => {
    const notices: string[] = [];
    const broken: SessionRecordStore = {
      save: () => {
        throw new Error('disk full');
      },
      load: () => undefined,
      list: () => [],
      delete: () => undefined,
    };
    const session = startSession(scriptedProvider(says('Hi.')), {
      sessionStore: broken,
      sessionId: 's1',
      onNotice: ({ message }) => notices.push(message),
    });

    await expect(session.run('Hello')).resolves.toBe('Hi.');

    expect(notices).toEqual(['Session s1 is not being saved: disk full']);
  });

  it('works with a store that answers later', async () => {
    const saved: SessionRecord[] = [];
    const session = startSession(scriptedProvider(says('Hi.')), {
      sessionStore: {
        save: async (record) => void saved.push(record),
        load: async () => undefined,
        list: async () => saved,
        delete: async () => undefined,
      },
    });

    await session.run('Hello');

    expect(saved).toMatchObject([{ messages: session.getHistory() }]);
  });
});

describe('shutdown', () => {
  it('aborts, logs, saves, then tells hooks, once', async () => {
    const order: string[] = [];
    const sessionLogger = new RecordingLogger();
    const session = startSession(hangingProvider('Half'), {
      sessionLogger,
      sessionStore: {
        save: () => void order.push('saved'),
        load: () => undefined,
        list: () => [],
        delete: () => undefined,
      },
      hooks: {
        SessionEnd: [
          {
            hooks: [
              {
                type: 'function',
                run: ({ reason }) => ({ exitCode: order.push(`hook ${reason}`) && 0 }),
              },
            ],
          },
        ],
      },
    });
    const running = session.run('Hello').catch((error: Error) => order.push(error.name));
    await expect.poll(() => sessionLogger.names()).toContain('text_delta');

    await Promise.all([session.shutdown({ reason: 'logout' }), session.shutdown(), running]);

    expect(order).toEqual(['saved', 'AbortError', 'saved', 'hook logout']);
    expect(sessionLogger.all('session_shutdown')).toEqual([{ reason: 'logout' }]);
    await expect(session.run('More')).rejects.toThrow(/shut down/);
  });

  it('leaves one file and no lock', async () => {
    const directory = temporaryDirectory();
    const session = startSession(scriptedProvider(says('x'.repeat(100_000)), says('y')), {
      sessionStore: new SessionStore(directory),
      sessionId: 's1',
    });
    await session.run('1');
    await session.run('2');

    await session.shutdown();

    expect(readdirSync(directory)).toEqual(['s1.json']);
  });
});

it('lets a higher layer hear every entry after it was logged', async () => {
  const sessionLogger = new RecordingLogger();
  const heard: [string, boolean][] = [];
  const session = startSession(scriptedProvider(says('Hi.')), {
    sessionLogger,
    onEntry: ({ event }) => void heard.push([event, sessionLogger.names().includes(event)]),
  });

  await session.run('Hello');

  expect(heard.map(([event]) => event)).toContain('provider_response_normalized');
  expect(heard.every(([, wasLogged]) => wasLogged)).toBe(true);
});

it('tells once when the log cannot be written, and goes on', async () => {
  const notices: string[] = [];
  const session = startSession(scriptedProvider(says('Hi.')), {
    sessionLogger: new FileSessionLogger('/dev/null/logs'),
    onNotice: ({ message }) => notices.push(message),
  });

  await expect(session.run('Hello')).resolves.toBe('Hi.');

  expect(notices).toEqual([expect.stringContaining('is not being logged')]);
});

it('is not disturbed by listeners that fail, tells of each once and shows no secret', async () => {
  const notices: string[] = [];
  const secret = `sk-ant-${'a'.repeat(40)}`;
  const fail = () => {
    throw new Error(`broken ${secret}`);
  };
  const session = startSession(scriptedProvider(says('Hi.', { deltas: ['H', 'i.'] })), {
    onTextDelta: fail,
    onContextUpdate: fail,
    onEntry: fail,
    onNotice: ({ message }) => {
      notices.push(message);
      fail();
    },
  });

  await expect(session.run('Hello')).resolves.toBe('Hi.');

  expect(notices.sort()).toEqual(
    ['onContextUpdate', 'onEntry', 'onTextDelta'].map(
      (name) => `The callback ${name} failed: Error: broken [REDACTED:api-key]`,
    ),
  );
});

it('refuses a prompt with nothing in it and stays usable', async () => {
  const session = startSession(scriptedProvider(says('Hi.')));

  await expect(session.run('  ')).rejects.toThrow(/empty prompt/);
  await expect(session.run('Hello')).resolves.toBe('Hi.');
});

it.each([
  [{ tools: [], systemMessage: '' }, 'provider'],
  [{ provider: {}, tools: [] }, 'provider'],
  [{ provider: scriptedProvider(), systemMessage: '' }, 'tools'],
])('a session says which option it lacks: %j', (options, option) => {
  expect(() => new Session(options as never)).toThrow(
    expect.objectContaining({ name: 'MissingOptionError', option }),
  );
});

it('a session without a model asks that of its provider', async () => {
  const provider = Object.assign(scriptedProvider(says('hi')), { model: 'gpt-5' });

  await startSession(provider).run('Hello');

  expect(provider.requestOptions[0]?.model).toBe('gpt-5');
});
