import {
  createAssistantMessage,
  createToolMessage,
  createUserMessage,
} from '@robota-sdk/agent-core';
import {
  InteractiveSession,
  type InteractiveSessionOptions,
  type SessionRecord,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { recordEvents, scriptedSession, settle } from './scripted-session.ts';

describe('on a ready-made session', () => {
  it('passes input and raw input, and shows the display input', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });
    const seen = recordEvents(session, ['user_message', 'thinking', 'complete', 'context_update']);

    const submitted = session.submit('the built prompt', '/audit', 'raw');
    await settle();
    inner.runs[0]?.finish('done');
    const outcome = await submitted;

    expect(inner.runs[0]?.args).toEqual(['the built prompt', 'raw']);
    expect(outcome).toMatchObject({ status: 'completed', result: { response: 'done' } });
    expect(seen.map(([name, fact]) => [name, typeof fact === 'object' ? '…' : fact])).toEqual([
      ['user_message', '/audit'],
      ['thinking', true],
      ['complete', '…'],
      ['context_update', '…'],
      ['thinking', false],
    ]);
    expect(session.getMessages().map(({ role, content }) => [role, content])).toEqual([
      ['user', '/audit'],
      ['assistant', 'done'],
    ]);
  });

  it('hands run exactly two arguments', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });

    void session.submit('hello');
    await settle();

    expect(inner.runs[0]?.args).toEqual(['hello', undefined]);
  });

  it('without cwd fails with an error event that says so', async () => {
    const session = new InteractiveSession({
      session: scriptedSession(),
    } as unknown as InteractiveSessionOptions);
    const seen = recordEvents(session, ['error']);

    const outcome = await session.submit('hello');

    expect(outcome.status).toBe('failed');
    expect(seen).toEqual([
      [
        'error',
        expect.objectContaining({ message: 'cwd is not set — provide cwd in session options' }),
      ],
    ]);
  });

  it('shows both ends of a turn as blocks', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });

    const submitted = session.submit('hello', 'shown');
    await settle();
    inner.runs[0]?.finish('hi');
    await submitted;

    expect(session.getBlocks()).toMatchObject([
      { type: 'user_message', content: 'shown', metadata: { sent: 'hello' } },
      { type: 'assistant_text', content: 'hi' },
    ]);
  });

  it('drops tool calls and results together when it cannot restore them', () => {
    const inner = scriptedSession();
    const record: SessionRecord = {
      id: 'saved',
      cwd: '/work',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      messages: [
        createUserMessage('read it'),
        createAssistantMessage(null, {
          toolCalls: [{ id: '1', type: 'function', function: { name: 'Read', arguments: '{}' } }],
        }),
        createToolMessage('text', '1'),
        createAssistantMessage('It says text.'),
      ],
      history: [],
    };
    const store = { save() {}, load: () => record, list: () => [], delete() {} };

    new InteractiveSession({
      session: inner,
      cwd: '/work',
      sessionStore: store,
      resumeSessionId: 'saved',
    });

    expect(inner.injected).toEqual([
      { role: 'user', content: 'read it' },
      { role: 'assistant', content: 'It says text.' },
    ]);
  });
});

describe('the queue', () => {
  it('holds one prompt, runs it next, and tells the displaced one', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });

    const first = session.submit('first');
    const second = session.submit('second');
    const third = session.submit('third');
    await settle();
    const pending = session.getPendingPrompt();
    inner.runs[0]?.finish('one');
    await settle();
    inner.runs[1]?.finish('three');

    expect(pending).toBe('third');
    expect((await second).status).toBe('superseded');
    expect(await first).toMatchObject({ result: { response: 'one' } });
    expect(await third).toMatchObject({ result: { response: 'three' } });
    expect(inner.runs.map(({ args }) => args[0])).toEqual(['first', 'third']);
  });

  it('with room for more refuses what does not fit', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work', queueDepth: 2 });

    void session.submit('1');
    void session.submit('2');
    void session.submit('3');
    const fourth = await session.submit('4');

    expect(fourth).toEqual({ status: 'refused', reason: 'The prompt queue is full.' });
    expect(session.getPendingPrompt()).toBe('2');
  });

  it('can be emptied without stopping what runs', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });

    const first = session.submit('first');
    const second = session.submit('second');
    await settle();
    session.cancelQueue();
    inner.runs[0]?.finish('one');

    expect((await second).status).toBe('superseded');
    expect((await first).status).toBe('completed');
    expect(session.getPendingPrompt()).toBeNull();
  });

  it('is executing from submit to the end of the turn', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });

    const submitted = session.submit('hello');
    const during = session.isExecuting();
    await settle();
    inner.runs[0]?.finish('hi');
    await submitted;

    expect([during, session.isExecuting()]).toEqual([true, false]);
  });
});

describe('abort', () => {
  it('interrupts the turn, empties the queue and keeps what was said', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });
    const seen = recordEvents(session, ['interrupted', 'complete', 'error']);

    const first = session.submit('first');
    const second = session.submit('second');
    await settle();
    inner.messages = [createUserMessage('first'), createAssistantMessage('half an')];
    session.abort();

    expect(await first).toMatchObject({ status: 'interrupted', result: { response: 'half an' } });
    expect((await second).status).toBe('superseded');
    expect(seen.map(([name]) => name)).toEqual(['interrupted']);
    expect(session.getMessages().map(({ content }) => content)).toEqual([
      'first',
      'half an',
      'Interrupted by user.',
    ]);
  });

  it('when idle does nothing', () => {
    const session = new InteractiveSession({ session: scriptedSession(), cwd: '/work' });

    session.abort();

    expect(session.isExecuting()).toBe(false);
  });
});

describe('a failed turn', () => {
  it('is an outcome and an event, and the session goes on', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });

    const failing = session.submit('first');
    await settle();
    inner.runs[0]?.fail(new Error('no such model'));
    const failed = await failing;
    const next = session.submit('second');
    await settle();
    inner.runs[1]?.finish('fine');

    expect(failed).toMatchObject({ status: 'failed', error: { message: 'no such model' } });
    expect((await next).status).toBe('completed');
    expect(session.getMessages().map(({ content }) => content)).toEqual([
      'first',
      'Error: no such model',
      'second',
      'fine',
    ]);
  });

  it('is one in which the model said nothing', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });

    const submitted = session.submit('hello');
    await settle();
    inner.runs[0]?.finish('');

    expect(await submitted).toMatchObject({ status: 'failed', endedBy: 'empty_reply' });
  });
});

describe('listeners', () => {
  it('that throw are reported and disturb neither the turn nor each other', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });
    session.on('user_message', () => {
      throw new Error('listener bug');
    });
    const seen = recordEvents(session, ['user_message', 'error', 'complete']);

    const submitted = session.submit('hello');
    await settle();
    inner.runs[0]?.finish('hi');

    expect((await submitted).status).toBe('completed');
    expect(seen.map(([name]) => name)).toEqual(['error', 'user_message', 'complete']);
  });

  it('can be taken off again', async () => {
    const inner = scriptedSession();
    const session = new InteractiveSession({ session: inner, cwd: '/work' });
    const heard: string[] = [];
    const listener = (content: string) => void heard.push(content);

    session.on('user_message', listener).off('user_message', listener);
    void session.submit('hello');
    await settle();

    expect(heard).toEqual([]);
  });
});

describe('persistence', () => {
  it('saves after each submit and tells once that it failed', async () => {
    const inner = scriptedSession();
    const saved: SessionRecord[] = [];
    let isBroken = false;
    const store = {
      save(record: SessionRecord) {
        if (isBroken) throw new Error('disk full');
        saved.push(structuredClone(record));
      },
      load: () => undefined,
      list: () => [],
      delete() {},
    };
    const session = new InteractiveSession({ session: inner, cwd: '/work', sessionStore: store });
    const seen = recordEvents(session, ['notice']);

    for (const [index, answer] of ['one', 'two', 'three'].entries()) {
      isBroken = index > 0;
      const submitted = session.submit(`prompt ${index}`);
      await settle();
      inner.runs[index]?.finish(answer);
      await submitted;
    }

    expect(saved).toMatchObject([
      {
        id: 'injected-1',
        cwd: '/work',
        systemPrompt: 'system prompt',
        history: [{ type: 'user' }, { type: 'assistant' }],
      },
    ]);
    expect(seen).toEqual([
      [
        'notice',
        { kind: 'not_saved', message: 'Session injected-1 is not being saved: disk full' },
      ],
    ]);
  });

  it('keeps the name', async () => {
    const saved: SessionRecord[] = [];
    const store = {
      save: (record: SessionRecord) => void saved.push(record),
      load: () => undefined,
      list: () => [],
      delete() {},
    };
    const session = new InteractiveSession({
      session: scriptedSession(),
      cwd: '/work',
      sessionStore: store,
    });

    session.setName('my work');
    await settle();

    expect(session.getName()).toBe('my work');
    expect(saved.map(({ name }) => name)).toEqual(['my work']);
  });

  it('stays in order with a store that takes its time', async () => {
    const inner = scriptedSession();
    const lengths: number[] = [];
    const store = {
      async save(record: SessionRecord) {
        const { length } = record.history;
        await new Promise((resolve) => setImmediate(resolve));
        lengths.push(length);
      },
      load: () => Promise.resolve(undefined),
      list: () => Promise.resolve([]),
      delete() {},
    };
    const session = new InteractiveSession({ session: inner, cwd: '/work', sessionStore: store });

    session.setName('one');
    const submitted = session.submit('hello');
    await settle();
    inner.runs[0]?.finish('hi');
    await submitted;

    expect(lengths).toEqual([0, 2]);
  });
});

it('has a session id and attaches transports to itself', () => {
  const session = new InteractiveSession({ session: scriptedSession('abc'), cwd: '/work' });
  const attached: unknown[] = [];

  session.attachTransport({
    name: 'test',
    attach: (given) => void attached.push(given),
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  });

  expect(session.sessionId).toBe('abc');
  expect(attached).toEqual([session]);
});

it('refuses an empty prompt', async () => {
  const session = new InteractiveSession({ session: scriptedSession(), cwd: '/work' });

  expect(await session.submit('  \n')).toEqual({
    status: 'refused',
    reason: 'The prompt is empty.',
  });
});

it('refuses prompts once it is shutting down', async () => {
  const session = new InteractiveSession({ session: scriptedSession(), cwd: '/work' });

  await session.shutdown();

  await expect(session.submit('late')).rejects.toMatchObject({
    code: 'session_closed',
    message: 'Interactive session is shutting down.',
  });
});
