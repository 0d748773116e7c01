import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  EntryLog,
  FileSessionLogger,
  loadSessionLogEntries,
  readLog,
  replaySessionLogEntries,
  SessionStore,
  validateSessionReplayLogEntries,
} from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { RecordingLogger, startSession, temporaryDirectory } from '../session-kit.ts';

function events(file: string): string[] {
  return loadSessionLogEntries(file).map(({ event }) => event);
}

describe('what is shown', () => {
  it('is in the log before it is shown: a tool has ended once its result is written', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 's1.jsonl');
    const found: [string, string[]][] = [];
    const session = startSession(
      scriptedProvider(calls({ id: 'a', name: 'Look' }), says('Done.')),
      {
        sessionId: 's1',
        tools: [fakeTool('Look')],
        permissionMode: 'bypassPermissions',
        sessionLogger: new FileSessionLogger(directory),
        onToolExecution: ({ type }) => void found.push([type, events(file).slice(-1)]),
      },
    );

    await session.run('Go');

    expect(found).toEqual([
      ['start', ['tool_call']],
      ['end', ['tool_execution_result']],
    ]);
  });

  it('ends once for a tool that ignores an abort, and nothing follows when it ends later', async () => {
    let endLate: (text: string) => void = () => undefined;
    const told: string[] = [];
    const hooked: string[] = [];
    const session = startSession(scriptedProvider(calls({ id: 'a', name: 'Deaf' }), says('2')), {
      tools: [
        fakeTool('Deaf', () => {
          const late = new Promise<string>((resolve) => {
            endLate = resolve;
          });
          return late;
        }),
      ],
      permissionMode: 'bypassPermissions',
      hooks: {
        PostToolUse: [
          { matcher: '', hooks: [{ type: 'function', fn: () => void hooked.push('post') }] },
        ],
      } as never,
      onToolExecution: ({ type }) => {
        told.push(type);
        if (type === 'start') session.abort();
      },
    });

    await expect(session.run('Go')).rejects.toThrow('Aborted');
    endLate('late');
    await expect(session.run('Again')).resolves.toBe('2');

    expect(told).toEqual(['start', 'end']);
    expect(hooked).toEqual([]);
  });
});

it('has streamed pieces on disk within 50 milliseconds while nothing else happens', async () => {
  const directory = temporaryDirectory();
  const log = new EntryLog({ sessionId: 's1', logger: new FileSessionLogger(directory) });
  const scope = { executionId: 'e', conversationId: 's1', round: 1 };

  for (const [sequence, delta] of ['some ', 'words'].entries()) {
    void log.append('provider_stream_raw_delta', { ...scope, sequence, delta });
  }

  const file = join(directory, 's1.jsonl');
  expect(events(file)).toEqual([]);
  await expect
    .poll(() => events(file), { timeout: 5_000 })
    .toEqual([
      'provider_stream_raw_delta',
      'provider_stream_raw_delta',
      'text_delta',
      'text_delta',
    ]);
  await log.close();
});

describe('compaction', () => {
  it("asks the model like any other request does, with its cause, and its text is not the session's", async () => {
    const sessionLogger = new RecordingLogger();
    const deltas: string[] = [];
    const provider = scriptedProvider(
      says('1'),
      says('A summary.', { deltas: ['A ', 'summary.'] }),
    );
    const session = startSession(provider, {
      sessionLogger,
      onTextDelta: (delta) => deltas.push(delta),
    });
    await session.run('one');

    await session.compact();

    expect(sessionLogger.all('provider_request').map(({ cause }) => cause)).toEqual([
      undefined,
      'compaction',
    ]);
    expect(sessionLogger.all('provider_response_normalized')).toHaveLength(2);
    expect(deltas.join('')).not.toContain('summary');
  });

  it('that fails leaves a line, by hand too', async () => {
    const sessionLogger = new RecordingLogger();
    const session = startSession(scriptedProvider(says('1'), says('')), { sessionLogger });
    await session.run('one');

    await expect(session.compact()).rejects.toThrow('gave no summary');

    expect(sessionLogger.all('compaction_failed')).toMatchObject([{ trigger: 'manual' }]);
  });
});

describe('a log that could not be written for a while', () => {
  it('has no hole once it can, and says both', async () => {
    const directory = join(temporaryDirectory(), 'logs');
    writeFileSync(directory, 'in the way');
    const notices: string[] = [];
    const session = startSession(scriptedProvider(says('One.'), says('Two.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
      onNotice: ({ message }) => notices.push(message),
    });
    await session.run('1');
    rmSync(directory);
    mkdirSync(directory);

    await session.run('2');

    const entries = loadSessionLogEntries(join(directory, 's1.jsonl'));
    expect(replaySessionLogEntries(entries).messages).toEqual(session.getHistory());
    expect(validateSessionReplayLogEntries(entries).issues.map(({ code }) => code)).not.toContain(
      'ENTRIES_MISSING',
    );
    expect(notices).toEqual([
      expect.stringContaining('is not being logged'),
      expect.stringContaining('is being logged again; nothing is missing'),
    ]);
  });

  it('takes values that are no JSON, and the entries after them', async () => {
    const directory = temporaryDirectory();
    const cyclic: Record<string, unknown> = { many: 10n };
    cyclic.self = cyclic;
    const session = startSession(scriptedProvider(says('Hi.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
    });

    session.logEvent('memory_event', { memoryEvent: cyclic });
    await session.run('Hello');

    const entries = loadSessionLogEntries(join(directory, 's1.jsonl'));
    expect(entries.find(({ event }) => event === 'memory_event')?.memoryEvent).toMatchObject({
      many: '10',
    });
    expect(replaySessionLogEntries(entries).messages).toEqual(session.getHistory());
  });
});

it('has one writer, with a logger alone too', () => {
  const directory = temporaryDirectory();
  const options = { sessionId: 's1', sessionLogger: new FileSessionLogger(directory) };
  startSession(scriptedProvider(), options);

  expect(() => startSession(scriptedProvider(), options)).toThrow(/is open for writing/);
});

describe('a log with damage', () => {
  it('is read around a line of garbage however long, and says that it is there', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 's1.jsonl');
    const session = startSession(scriptedProvider(says('One.'), says('Two.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
    });
    await session.run('1');
    appendFileSync(file, `${'\u0000junk'.repeat(200_000)}\n`);
    await session.run('2');

    const entries = loadSessionLogEntries(file);

    expect(replaySessionLogEntries(entries).messages).toEqual(session.getHistory());
    expect(validateSessionReplayLogEntries(entries)).toMatchObject({
      ok: false,
      skipped: [{ reason: 'unreadable' }],
    });
    expect(validateSessionReplayLogEntries(entries).issues.map(({ code }) => code)).toContain(
      'LINE_UNREADABLE',
    );
  });

  it('says which entries are missing', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 's1.jsonl');
    const session = startSession(scriptedProvider(says('One.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
    });
    await session.run('1');
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.filter((line) => !line.includes('"event":"user"')).join('\n'));

    const { issues } = validateSessionReplayLogEntries(loadSessionLogEntries(file));

    expect(issues.map(({ code }) => code)).toContain('ENTRIES_MISSING');
  });

  it('is sound where a turn failed or the process ended in the middle of it', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 's1.jsonl');
    const provider = { name: 'gone', chat: () => Promise.reject(new Error('401')) };
    const session = startSession(provider, {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
    });
    await session.run('1').catch(() => undefined);
    const whole = readFileSync(file, 'utf8');

    expect(validateSessionReplayLogEntries(loadSessionLogEntries(file)).issues).toEqual([]);

    const cut = whole.indexOf('"event":"provider_request"');
    writeFileSync(file, whole.slice(0, whole.indexOf('\n', cut) + 1));
    expect(validateSessionReplayLogEntries(loadSessionLogEntries(file)).issues).toEqual([]);
  });
});

describe('the record', () => {
  it('stays behind the log for a while, and load knows better', async () => {
    const directory = temporaryDirectory();
    const logDir = join(directory, 'logs');
    const sessionStore = new SessionStore(join(directory, 'sessions'), { logDir });
    const session = startSession(scriptedProvider(says('One.'), says('Two.'), says('Three.')), {
      sessionId: 's1',
      sessionStore,
      sessionLogger: new FileSessionLogger(logDir),
    });
    await session.run('1');
    const first = readFileSync(sessionStore.getFilePath('s1'), 'utf8');
    await session.run('2');
    await session.run('3');

    expect(readFileSync(sessionStore.getFilePath('s1'), 'utf8')).toBe(first);
    expect(sessionStore.load('s1')?.messages).toEqual(session.getHistory());
    expect(sessionStore.load('s1')?.history).toEqual(session.getFullHistory());
    expect(sessionStore.listSummaries()).toMatchObject([{ messageCount: 7, preview: 'Three.' }]);
  });

  it('knows more than a log that was cut: it says so, and keeps all of it', async () => {
    const directory = temporaryDirectory();
    const logDir = join(directory, 'logs');
    const sessionStore = new SessionStore(join(directory, 'sessions'), { logDir });
    const session = startSession(scriptedProvider(says('One.')), {
      sessionId: 's1',
      sessionStore,
      sessionLogger: new FileSessionLogger(logDir),
    });
    await session.run('1');
    const history = session.getHistory();
    await session.shutdown();
    const file = join(logDir, 's1.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 400));

    const saved = sessionStore.open('s1');

    expect(saved?.problem).toMatchObject({ code: 'log_shorter' });
    expect(saved?.record.messages).toEqual(history);
  });
});

it('never gives a number twice, however the process before it ended', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 's1.jsonl');
  const start = () =>
    startSession(scriptedProvider(says('One.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(directory),
    });
  const first = start();
  await first.run('1');
  await first.shutdown();
  const last = readLog(file, { onEntry: () => undefined });

  await start().run('2');

  const numbers: number[] = [];
  readLog(file, { onEntry: ({ n = 0 }) => void numbers.push(n) });
  const later = numbers.slice(numbers.indexOf(last) + 1);
  expect(later.every((n) => n > last + 1)).toBe(true);
});
