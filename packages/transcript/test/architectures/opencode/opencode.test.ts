import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseTranscripts } from '@robota-sdk/agent-transcript';
import {
  findAgentSessions,
  followTranscript,
  parseTranscriptFile,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../drivers/temporary-home.ts';
import { Dice, damage } from '../../mutations.ts';
import { unnamedIn } from '../../sound-ids.ts';

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): { run(...values: unknown[]): unknown };
    close(): void;
  };
};

const TOKENS = { input: 10, output: 5, reasoning: 1, cache: { read: 2, write: 3 } };
const answer = {
  role: 'assistant',
  modelID: 'm',
  tokens: TOKENS,
  cost: 0.5,
  time: { created: 2000 },
};
const tool = (name: string, callID: string, state: object) => ({
  type: 'tool',
  tool: name,
  callID,
  state,
});

/** Messages with their parts, by id. */
const MAIN = {
  msg_1: {
    data: { role: 'user', time: { created: 1000 } },
    parts: { prt_1: { type: 'text', text: 'Go' } },
  },
  msg_2: {
    data: answer,
    parts: {
      prt_1: { type: 'step-start' },
      prt_2: { type: 'reasoning', text: 'Hm' },
      prt_3: tool('bash', 'c1', {
        status: 'completed',
        input: { command: 'false' },
        output: 'no',
        metadata: { exit: 1 },
        time: { start: 1, end: 4 },
      }),
      prt_4: tool('task', 'c2', {
        status: 'completed',
        input: { prompt: 'Look', subagent_type: 'general' },
        output: '<task id="ses_b" state="completed"><task_result>\nSeen\n</task_result>',
        metadata: { sessionId: 'ses_b' },
      }),
      prt_5: tool('read', 'c3', { status: 'running', input: {} }),
    },
  },
  msg_3: {
    data: { ...answer, error: { name: 'APIError', data: { message: 'refused' } } },
    parts: { prt_1: { type: 'text', text: '' } },
  },
};
const CHILD = {
  msg_4: {
    data: { role: 'user', time: { created: 1000 } },
    parts: { prt_1: { type: 'text', text: 'Look' } },
  },
  msg_5: { data: answer, parts: { prt_1: { type: 'text', text: 'Seen' } } },
};
const COMPACTED = {
  msg_1: { data: { role: 'user' }, parts: { prt_1: { type: 'compaction', auto: true } } },
  msg_2: {
    data: { ...answer, summary: true },
    parts: { prt_1: { type: 'text', text: 'In short' } },
  },
  msg_3: {
    data: { role: 'user' },
    parts: { prt_1: { type: 'text', text: 'Continue', synthetic: true } },
  },
};

type Rows = Readonly<Record<string, { data: object; parts: Readonly<Record<string, object>> }>>;

function linesOf(rows: Rows, session: object = {}): string {
  const lines: object[] = [
    { session: { id: 'ses_a', directory: '/work', title: 'T', ...session } },
  ];
  for (const [id, { data, parts }] of Object.entries(rows)) {
    lines.push({ message: { ...data, id } });
    for (const [part, about] of Object.entries(parts)) {
      lines.push({ part: { ...about, id: `${id}/${part}`, messageID: id } });
    }
  }
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

describe('an opencode session', () => {
  it('consists of its messages and their parts', () => {
    const subagents = [{ id: 'ses_b', transcript: linesOf(CHILD, { id: 'ses_b' }) }];

    const parsed = parseTranscripts('opencode', { main: linesOf(MAIN), subagents });

    expect(parsed.blocks).toMatchObject([
      { type: 'user_message', id: 'msg_1', content: 'Go' },
      { type: 'thinking', content: 'Hm' },
      { type: 'tool_use', id: 'c1', status: 'error' },
      { type: 'tool_result', isError: true, durationMs: 3, metadata: { exitCode: 1 } },
      { type: 'subagent', subagentId: 'ses_b', output: 'Seen', status: 'success' },
      { type: 'tool_use', id: 'c3', status: 'running' },
      { type: 'system', subtype: 'error', message: 'refused' },
    ]);
    expect(parsed.subagents[0]?.blocks.map(({ type }) => type)).toEqual([
      'system',
      'user_message',
      'assistant_text',
      'system',
    ]);
    expect(
      parsed.requests?.map(({ id, thread, promptTokens }) => [id, thread, promptTokens]),
    ).toEqual([
      ['msg_2', 'main', 15],
      ['msg_3', 'main', 15],
      ['msg_5', 'ses_b', 15],
    ]);
    expect(parsed.metadata).toMatchObject({ sessionId: 'ses_a', cwd: '/work', costUSD: 1 });
  });

  it('shows a compaction with its summary, and hides text for the model only', () => {
    const { blocks, requests } = parseTranscripts('opencode', { main: linesOf(COMPACTED) });

    expect(blocks).toMatchObject([
      { type: 'system', metadata: { compaction: { trigger: 'auto', summary: 'In short' } } },
    ]);
    expect(requests).toMatchObject([{ cause: 'compaction' }]);
  });

  it('supersedes reverted messages', () => {
    const main = linesOf(MAIN, { revert: { messageID: 'msg_2' } });

    const { blocks, superseded } = parseTranscripts('opencode', { main });

    expect(blocks.map(({ id }) => id)).toEqual(['msg_1']);
    expect(superseded).toMatchObject([{ reason: 'rewind', afterBlockId: 'msg_1' }]);
  });

  it('that was forked has the requests of its origin, marked as copies', () => {
    const [asked, answered] = [1_794_899_442_755, 1_794_899_444_632];
    const message = { ...answer, time: { created: asked, completed: answered } };
    const later = { ...answer, time: { created: asked + 60_000, completed: answered + 60_000 } };
    const origin = { msg_1e857fc43001a7YRZifCdx7HGq: { data: message, parts: {} } };
    const fork = {
      msg_1e858c39d001Mrf237YDsFLxLZ: { data: message, parts: {} },
      [`msg_${(asked + 60_001).toString(16).slice(-9)}001Own`]: { data: later, parts: {} },
    };

    const [first] = parseTranscripts('opencode', { main: linesOf(origin) }).requests ?? [];
    const { requests, metadata } = parseTranscripts('opencode', { main: linesOf(fork) });

    expect(first?.isCopy).toBeUndefined();
    expect(requests?.map(({ id, isCopy }) => [id === first?.id, isCopy])).toEqual([
      [true, true],
      [false, undefined],
    ]);
    expect(metadata).toMatchObject({ costUSD: 0.5, usage: { outputTokens: 5 } });
  });

  it('is read without an error, however damaged', () => {
    const dice = new Dice(11);
    const whole = linesOf(MAIN).split('\n');
    for (let round = 0; round < 800; round++) {
      const main = damage(whole, dice).join('\n');
      const parsed = parseTranscripts('opencode', { main });
      expect(unnamedIn(parsed)).toEqual([]);
      expect(new Set(parsed.blocks.map(({ id }) => id)).size).toBe(parsed.blocks.length);
    }
  });
});

describe('opencode storage', () => {
  it('is a database that is read while the program runs, and followed', async () => {
    const home = temporaryFolder();
    const path = join(home, '.local/share/opencode/opencode.db');
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    database.exec(`pragma journal_mode = wal;
      create table session (id text, parent_id text, directory text, title text, revert text, time_updated integer);
      create table message (id text, session_id text, data text);
      create table part (id text, message_id text, data text);`);
    const insert = database.prepare('insert into session values (?, ?, ?, ?, ?, ?)');
    insert.run('ses_a', null, '/work', 'Title', null, 7);
    insert.run('ses_b', 'ses_a', '/work', 'Child', null, 8);
    put(database, 'ses_a', MAIN);
    put(database, 'ses_b', CHILD);

    const found = [];
    for await (const one of findAgentSessions({ agents: ['opencode'], home, environment: {} }))
      found.push(one);
    const parsed = await parseTranscriptFile('opencode', found[0]?.path ?? '');
    const followed = followTranscript('opencode', 'ses_a', { home, environment: {} });
    onTestFinished(() => followed.stop());
    await followed.opened;
    put(database, 'ses_a', {
      msg_9: { data: { role: 'user' }, parts: { prt_9: { type: 'text', text: 'More' } } },
    });
    await followed.refresh();

    expect(found).toMatchObject([{ id: 'ses_a', cwd: '/work', preview: 'Title', updatedAt: 7 }]);
    expect(parsed.blocks).toHaveLength(7);
    expect(parsed.subagents.map(({ id }) => id)).toEqual(['ses_b']);
    expect(followed.conversation?.blocks.at(-1)).toMatchObject({ content: 'More' });
  });

  it('gets no new files by being read while the program is closed', async () => {
    const home = temporaryFolder();
    const path = join(home, '.local/share/opencode/opencode.db');
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    database.exec(`pragma journal_mode = wal;
      create table session (id text, parent_id text, directory text, title text, revert text, time_updated integer);
      create table message (id text, session_id text, data text);
      create table part (id text, message_id text, data text);
      insert into session values ('ses_a', null, '/work', 'Title', null, 7);`);
    database.close();

    const found = [];
    for await (const one of findAgentSessions({ agents: ['opencode'], home, environment: {} }))
      found.push(one.id);

    expect(found).toEqual(['ses_a']);
    expect(readdirSync(dirname(path))).toEqual(['opencode.db']);
  });

  it('was folders of files before 1.2', async () => {
    const home = temporaryFolder();
    const storage = join(home, '.local/share/opencode/storage');
    const write = (path: string, record: object) => {
      mkdirSync(dirname(join(storage, path)), { recursive: true });
      writeFileSync(join(storage, path), JSON.stringify(record));
    };
    write('session/p/ses_a.json', {
      id: 'ses_a',
      directory: '/work',
      title: 'Old',
      time: { updated: 5 },
    });
    write('session/p/ses_b.json', { id: 'ses_b', parentID: 'ses_a' });
    for (const [session, rows] of [
      ['ses_a', MAIN],
      ['ses_b', CHILD],
    ] as const) {
      for (const [id, { data, parts }] of Object.entries(rows as Rows)) {
        write(`message/${session}/${id}.json`, { id, ...data });
        for (const [part, about] of Object.entries(parts)) {
          write(`part/${id}/${id}-${part}.json`, { id: `${id}-${part}`, messageID: id, ...about });
        }
      }
    }

    const found = [];
    for await (const one of findAgentSessions({ agents: ['opencode'], home, environment: {} }))
      found.push(one);
    const parsed = await parseTranscriptFile('opencode', found[0]?.path ?? '');

    expect(found).toMatchObject([{ id: 'ses_a', preview: 'Old', updatedAt: 5 }]);
    expect(parsed.blocks).toHaveLength(7);
    expect(parsed.subagents.map(({ id }) => id)).toEqual(['ses_b']);
  });
});

function put(database: InstanceType<typeof DatabaseSync>, sessionId: string, rows: Rows): void {
  for (const [id, { data, parts }] of Object.entries(rows)) {
    database
      .prepare('insert into message values (?, ?, ?)')
      .run(id, sessionId, JSON.stringify(data));
    for (const [part, about] of Object.entries(parts)) {
      const values = [`${id}/${part}`, id, JSON.stringify(about)];
      database.prepare('insert into part values (?, ?, ?)').run(...values);
    }
  }
}
