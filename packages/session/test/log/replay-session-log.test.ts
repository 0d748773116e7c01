import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createAssistantMessage,
  createUserMessage,
  messageToHistoryEntry,
  OUTCOME_UNKNOWN_TEXT,
  type SessionLogEntry,
} from '@robota-sdk/agent-core';
import {
  assertStrictHistory,
  calls,
  fakeTool,
  says,
  scriptedProvider,
} from '@robota-sdk/agent-core/testing';
import {
  FileSessionLogger,
  loadSessionLogEntries,
  readSessionLogEntries,
  replaySessionLog,
  replaySessionLogEntries,
  type SkippedLine,
} from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';

function entry(event: string, data: object = {}): SessionLogEntry {
  return { timestamp: '2026-01-01T00:00:00.000Z', sessionId: 's1', event, ...data };
}

describe('a whole session', () => {
  it('replays to the messages and the timeline that were current', async () => {
    const directory = temporaryDirectory();
    const provider = scriptedProvider(
      calls({ id: 'c1', name: 'Look', args: { at: 'it' } }),
      says('Seen.'),
      says('Fine.'),
    );
    const session = startSession(provider, {
      sessionId: 's1',
      cwd: '/project',
      tools: [fakeTool('Look', () => 'a thing')],
      permissionMode: 'bypassPermissions',
      sessionLogger: new FileSessionLogger(directory),
    });
    await session.run('Look at it');
    session.addHistoryEntry({
      id: 'e1',
      timestamp: new Date('2026-01-01T00:00:00.000Z'),
      category: 'event',
      type: 'tool-summary',
      data: { tools: 1 },
    });
    await session.run('And?');
    await session.rename('looking');

    const replayed = await replaySessionLog(join(directory, 's1.jsonl'));

    expect(replayed).toMatchObject({
      sessionId: 's1',
      cwd: '/project',
      name: 'looking',
      systemPrompt: 'You help.',
      toolSchemas: [{ name: 'Look' }],
      recoveredToolMessages: [],
      hasPlaceholders: false,
    });
    expect(replayed.messages).toEqual(session.getHistory());
    expect(replayed.history).toEqual(session.getFullHistory());
    expect(replaySessionLogEntries(loadSessionLogEntries(join(directory, 's1.jsonl')))).toEqual(
      replayed,
    );
  });

  it('replays to what was left after clear, injection and a new system prompt', async () => {
    const directory = temporaryDirectory();
    const session = startSession(scriptedProvider(says('One.'), says('Two.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
    });
    await session.run('First');
    session.clearHistory();
    session.injectMessage('user', 'from outside');
    session.injectMessage('assistant', 'noted');
    session.updateSystemMessage('You help better.');
    await session.run('Second');

    const replayed = await replaySessionLog(join(directory, 's1.jsonl'));

    expect(replayed.messages).toEqual(session.getHistory());
    expect(replayed.history).toEqual(session.getFullHistory());
  });

  it('holds the conversation from before a compaction, so that it can be taken back', async () => {
    const directory = temporaryDirectory();
    const session = startSession(
      scriptedProvider(says('One.'), says('They said one.'), says('Two.')),
      {
        sessionId: 's1',
        sessionLogger: new FileSessionLogger(directory),
      },
    );
    await session.run('First');
    const before = session.getHistory();
    await session.compact();
    await session.run('Second');

    const entries = loadSessionLogEntries(join(directory, 's1.jsonl'));
    const compaction = entries.findIndex(({ mutation }) => mutation === 'replace_all');

    expect(replaySessionLogEntries(entries).messages).toEqual(session.getHistory());
    expect(replaySessionLogEntries(entries.slice(0, compaction)).messages).toEqual(before);
  });

  it('is read one entry at a time as it is loaded at once', async () => {
    const directory = temporaryDirectory();
    const session = startSession(scriptedProvider(says('One.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
    });
    await session.run('First');
    const file = join(directory, 's1.jsonl');
    const streamed: SessionLogEntry[] = [];

    for await (const each of readSessionLogEntries(file)) streamed.push(each);

    expect(streamed).toEqual(loadSessionLogEntries(file));
  });
});

describe('damage', () => {
  it('gives nothing for a log that does not exist', async () => {
    const file = join(temporaryDirectory(), 'none.jsonl');

    expect(loadSessionLogEntries(file)).toEqual([]);
    expect((await replaySessionLog(file)).messages).toEqual([]);
  });

  it('skips, counts and reports torn and unreadable lines and keeps the rest', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    const file = join(directory, 's1.jsonl');
    const skipped: SkippedLine[] = [];
    logger.log('s1', 'one', {});
    appendFileSync(file, 'garbage\n[1]\n');
    logger.log('s1', 'two', {});
    appendFileSync(file, '{"event":"th');

    const entries = loadSessionLogEntries(file, { onSkipped: (line) => skipped.push(line) });

    expect(entries.map(({ event }) => event)).toEqual(['one', 'two']);
    expect(skipped).toEqual([
      { line: 2, reason: 'unreadable' },
      { line: 3, reason: 'unreadable' },
      { line: 5, reason: 'torn' },
    ]);
  });

  it('ignores events it does not know', () => {
    const message = createUserMessage('hi');
    const entries = [
      entry('from_the_future', { anything: 1 }),
      entry('history_mutation', { mutation: 'append_message', index: 0, message }),
      entry('history_mutation', { mutation: 'from_the_future' }),
    ];

    expect(replaySessionLogEntries(entries).messages).toEqual([message]);
  });

  it('replays every prefix of a log to a conversation any provider accepts', async () => {
    const directory = temporaryDirectory();
    const provider = scriptedProvider(
      calls({ id: 'c1', name: 'Look' }, { id: 'c2', name: 'Look' }),
      calls({ id: 'c3', name: 'Nothing' }),
      says('Done.'),
    );
    const session = startSession(provider, {
      sessionId: 's1',
      tools: [fakeTool('Look')],
      permissionMode: 'bypassPermissions',
      sessionLogger: new FileSessionLogger(directory),
    });
    await session.run('Look');
    const text = readFileSync(join(directory, 's1.jsonl'), 'utf8');
    const cut = join(directory, 'cut.jsonl');

    for (let length = 0; length <= text.length; length += 97) {
      writeFileSync(cut, text.slice(0, length));
      const { messages } = replaySessionLogEntries(loadSessionLogEntries(cut));
      expect(() => assertStrictHistory(messages)).not.toThrow();
    }
  });
});

describe('tool calls a crash left open', () => {
  const user = createUserMessage('go');
  const toolCalls = ['c1', 'c2'].map((id) => ({
    id,
    type: 'function' as const,
    function: { name: 'Run', arguments: '{}' },
  }));
  const reply = createAssistantMessage(null, { toolCalls });
  const started = [
    entry('history_mutation', { mutation: 'append_message', index: 0, message: user }),
    entry('history_mutation', { mutation: 'append_message', index: 1, message: reply }),
    entry('tool_execution_request', { toolName: 'Run', toolCallId: 'c1' }),
    entry('tool_execution_request', { toolName: 'Run', toolCallId: 'c2' }),
  ];

  it('get the result that was recorded, or say that the outcome is unknown', () => {
    const result = { toolName: 'Run', toolCallId: 'c1', success: true, result: 'written' };

    const replayed = replaySessionLogEntries([...started, entry('tool_execution_result', result)]);

    expect(replayed.messages.slice(2)).toMatchObject([
      { role: 'tool', toolCallId: 'c1', content: 'written', metadata: { success: true } },
      {
        role: 'tool',
        toolCallId: 'c2',
        content: OUTCOME_UNKNOWN_TEXT,
        metadata: { success: false, errorCode: 'outcome_unknown' },
      },
    ]);
    expect(replayed.recoveredToolMessages).toEqual(replayed.messages.slice(2));
    expect(replayed.history).toEqual(replayed.messages.map(messageToHistoryEntry));
  });

  it('are written into the log by the next session', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 's1.jsonl');
    writeFileSync(file, started.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const session = startSession(scriptedProvider(says('I will check.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
    });
    session.restoreMessages((await replaySessionLog(file)).messages);
    await session.run('What happened?');

    const replayed = await replaySessionLog(file);

    expect(replayed.recoveredToolMessages).toEqual([]);
    expect(replayed.messages).toEqual(session.getHistory());
    expect(replayed.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  });
});

describe('logs from before history mutations', () => {
  it('replay from their last full history', () => {
    const messages = [createUserMessage('hi'), createAssistantMessage('hello')];
    const entries = [
      entry('session_init', { cwd: '/old' }),
      entry('pre_run', { history: [messages[0]] }),
      entry('assistant', { content: 'hello', history: messages }),
    ];

    expect(replaySessionLogEntries(JSON.parse(JSON.stringify(entries)))).toMatchObject({
      cwd: '/old',
      messages,
    });
  });
});

it('says that the log keeps less than the model saw', async () => {
  const directory = temporaryDirectory();
  const session = startSession(scriptedProvider(says('Stored.')), {
    sessionId: 's1',
    sessionLogger: new FileSessionLogger(directory),
  });
  const secret = `sk-ant-${'a'.repeat(40)}`;
  await session.run(`My key is ${secret}`);

  const replayed = await replaySessionLog(join(directory, 's1.jsonl'));

  expect(replayed.hasPlaceholders).toBe(true);
  expect(session.getHistory()[1]?.content).toContain(secret);
  expect(readFileSync(join(directory, 's1.jsonl'), 'utf8')).not.toContain(secret);
});

it('collects what higher layers logged', () => {
  const replayed = replaySessionLogEntries([
    entry('background_task_event', { backgroundEvent: { a: 1 } }),
    entry('background_job_group_event', { backgroundEvent: { b: 2 } }),
    entry('memory_event', { memoryEvent: { c: 3 } }),
  ]);

  expect(replayed).toMatchObject({
    backgroundTaskEvents: [{ a: 1 }],
    backgroundJobGroupEvents: [{ b: 2 }],
    memoryEvents: [{ c: 3 }],
  });
});
