import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createAssistantMessage, createUserMessage } from '@robota-sdk/agent-core';
import { FileSessionLogger, type SessionRecord, SessionStore } from '@robota-sdk/agent-session';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../session-kit.ts';

const HOME = process.env.ROBOTA_HOME;
afterEach(() => {
  if (HOME === undefined) delete process.env.ROBOTA_HOME;
  else process.env.ROBOTA_HOME = HOME;
});

function record(id: string, extra: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    cwd: '/project',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    messages: [],
    history: [],
    ...extra,
  };
}

/** A record too large to be rewritten on every save. */
function longRecord(id: string, count: number): SessionRecord {
  const messages = Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    role: 'user',
    content: 'x'.repeat(1000),
  }));
  return record(id, { messages, history: [] });
}

describe('save and load', () => {
  it('creates its directory and gives back what was saved', () => {
    const directory = join(temporaryDirectory(), 'deep', 'sessions');
    const store = new SessionStore(directory);
    const saved = record('s1', { name: 'first', messages: [{ role: 'user', content: 'hi' }] });

    store.save(saved);

    expect(store.load('s1')).toEqual(saved);
    expect(readdirSync(directory)).toEqual(['s1.json']);
  });

  it('keeps every field of the specification and fields it does not know', () => {
    const store = new SessionStore(temporaryDirectory());
    const saved = record('s1', {
      name: 'n',
      systemPrompt: 'p',
      toolSchemas: [{ name: 'Read' }],
      backgroundTasks: [1],
      backgroundTaskEvents: [2],
      backgroundJobGroups: [3],
      backgroundJobGroupEvents: [4],
      memoryEvents: [5],
      usedMemoryReferences: [6],
      contextReferences: [7],
      sandboxSnapshotId: 'snap',
      somethingNew: { deep: true },
    });

    store.save(saved);

    expect(store.load('s1')).toEqual(saved);
  });

  it('writes a version into the file and hides it on load', () => {
    const directory = temporaryDirectory();
    const store = new SessionStore(directory);

    store.save(record('s1'));

    expect(JSON.parse(readFileSync(join(directory, 's1.json'), 'utf8'))).toMatchObject({
      version: 2,
    });
    expect(store.load('s1')).not.toHaveProperty('version');
  });

  it('makes timestamps Dates again', () => {
    const store = new SessionStore(temporaryDirectory());
    const messages = [createUserMessage('hi'), createAssistantMessage('hello')];

    store.save(record('s1', { messages }));

    expect(store.load('s1')?.messages).toEqual(messages);
  });

  it('answers undefined for a session it does not have', () => {
    expect(new SessionStore(temporaryDirectory()).load('missing')).toBeUndefined();
  });

  it('throws corrupt_record for a file that is no record', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'bad.json'), '{"id":"bad","mess');
    writeFileSync(join(directory, 'odd.json'), '[1,2]');
    const store = new SessionStore(directory);

    expect(() => store.load('bad')).toThrow(expect.objectContaining({ code: 'corrupt_record' }));
    expect(() => store.load('odd')).toThrow(expect.objectContaining({ code: 'corrupt_record' }));
  });

  it('lets only its owner read the file', () => {
    const directory = join(temporaryDirectory(), 'sessions');
    new SessionStore(directory).save(record('s1'));

    expect(statSync(join(directory, 's1.json')).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('loads a record that is older than the timeline', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'old.json'), JSON.stringify({ id: 'old', messages: [] }));

    expect(new SessionStore(directory).load('old')).toEqual({ id: 'old', messages: [] });
  });
});

describe('ids', () => {
  it.each(['../evil', '', '.hidden', 'a/b', 'a\\b', 'x'.repeat(129), '-rf', 'a\0b'])(
    'refuses the id %j before it becomes a path',
    (id) => {
      const store = new SessionStore(temporaryDirectory());
      const refusal = expect.objectContaining({ code: 'invalid_session_id' });

      expect(() => store.save(record(id))).toThrow(refusal);
      expect(() => store.load(id)).toThrow(refusal);
      expect(() => store.delete(id)).toThrow(refusal);
      expect(() => store.lock(id)).toThrow(refusal);
    },
  );
});

describe('list', () => {
  it('puts the newest first and leaves out what it cannot read', () => {
    const directory = temporaryDirectory();
    const store = new SessionStore(directory);
    store.save(record('old', { updatedAt: '2026-01-01T00:00:00.000Z' }));
    store.save(record('new', { updatedAt: '2026-03-01T00:00:00.000Z' }));
    store.save(record('middle', { updatedAt: '2026-02-01T00:00:00.000Z' }));
    writeFileSync(join(directory, 'broken.json'), 'no json');

    expect(store.list().map(({ id }) => id)).toEqual(['new', 'middle', 'old']);
  });

  it('is empty where there is no directory', () => {
    expect(new SessionStore(join(temporaryDirectory(), 'none')).list()).toEqual([]);
  });

  it('summarizes without the conversation and notices changed, new and deleted records', () => {
    const store = new SessionStore(temporaryDirectory());
    store.save(
      record('s1', { name: 'one', messages: [{ role: 'assistant', content: 'It is  done.' }] }),
    );
    store.save(record('s2', { updatedAt: '2026-02-01T00:00:00.000Z' }));
    const first = store.listSummaries();
    store.save(
      record('s1', { messages: [{ role: 'assistant', content: 'Changed, and longer.' }] }),
    );
    store.delete('s2');

    expect(first).toEqual([
      summary('s2', { updatedAt: '2026-02-01T00:00:00.000Z' }),
      summary('s1', { name: 'one', messageCount: 1, preview: 'It is done.' }),
    ]);
    expect(store.listSummaries()).toEqual([
      summary('s1', { messageCount: 1, preview: 'Changed, and longer.' }),
    ]);
  });

  it('builds summaries again when the index is damaged, and keeps secrets out of them', () => {
    const directory = temporaryDirectory();
    const store = new SessionStore(directory);
    const content = `Your key is sk-ant-${'a'.repeat(40)}.`;
    store.save(record('s1', { messages: [{ role: 'assistant', content }] }));
    store.listSummaries();
    writeFileSync(join(directory, '.summaries.index'), '{"s1":');

    expect(store.listSummaries()).toEqual([
      summary('s1', { messageCount: 1, preview: 'Your key is [REDACTED:api-key].' }),
    ]);
  });
});

function summary(id: string, extra: object = {}) {
  const fields = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  return { id, cwd: '/project', ...fields, messageCount: 0, preview: '', ...extra };
}

describe('delete', () => {
  it('does nothing for a session it does not have', () => {
    expect(() => new SessionStore(temporaryDirectory()).delete('missing')).not.toThrow();
  });

  it('removes record, log, payloads and subagent logs, so that nothing comes back', () => {
    const root = temporaryDirectory();
    const [directory, logDir] = [join(root, 'sessions'), join(root, 'logs')];
    const store = new SessionStore(directory, { logDir });
    store.save(record('s1'));
    mkdirSync(join(logDir, 's1.payloads'), { recursive: true });
    mkdirSync(join(logDir, 's1', 'subagents'), { recursive: true });
    writeFileSync(join(logDir, 's1.jsonl'), '{}\n');
    writeFileSync(join(logDir, 's1.payloads', 'abc.json'), '1');
    writeFileSync(join(logDir, 's1', 'subagents', 'a.jsonl'), '{}\n');

    store.delete('s1');

    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(logDir)).toEqual([]);
    expect(store.list()).toEqual([]);
  });
});

it('delete leaves no lock of a crashed writer behind, and none of a live one alone', () => {
  const directory = temporaryDirectory();
  const store = new SessionStore(directory);
  const stale = JSON.stringify({ pid: 2 ** 30, startedAt: '1', token: 'gone' });
  writeFileSync(join(directory, 's1.lock'), stale);
  store.lock('s2');

  store.delete('s1');
  store.delete('s2');

  expect(readdirSync(directory)).toEqual(['s2.lock']);
});

describe('long records', () => {
  it('are saved as they are given, also when a message in the middle was edited', () => {
    const store = new SessionStore(temporaryDirectory());
    const saved = longRecord('s1', 100);
    store.save(saved);
    const loaded = store.load('s1') as SessionRecord;
    loaded.messages[3] = { ...(loaded.messages[3] as object), content: 'edited' };

    store.save(loaded);

    expect(store.load('s1')).toEqual(loaded);
  });

  it('rewrites the record when messages were replaced, not only added', () => {
    const directory = temporaryDirectory();
    const store = new SessionStore(directory);
    store.save(longRecord('s1', 100));
    const compacted = record('s1', { messages: [{ id: 'summary', content: 'short' }] });

    store.save(compacted);

    expect(existsSync(join(directory, 's1.tail.jsonl'))).toBe(false);
    expect(store.load('s1')).toEqual(compacted);
  });

  it('leaves out a torn line of the tail and a tail of an older record', () => {
    const directory = temporaryDirectory();
    const store = new SessionStore(directory);
    const saved = longRecord('s1', 100);
    store.save(saved);
    const tail = join(directory, 's1.tail.jsonl');
    writeFileSync(tail, '{"revision":"other","messagesFrom":100,"messages":[1]}\n{"revision":"');

    expect(new SessionStore(directory).load('s1')).toEqual(saved);
  });

  it('does not lose what another store wrote in between', () => {
    const directory = temporaryDirectory();
    const store = new SessionStore(directory);
    const saved = longRecord('s1', 100);
    store.save(saved);
    new SessionStore(directory).save(record('s1', { messages: [{ id: 'other' }] }));
    saved.messages.push({ id: 'new', role: 'user', content: 'more' });

    store.save(saved);

    expect(store.load('s1')).toEqual(saved);
  });
});

it('lies in the sessions directory of the home, which is read at call time', () => {
  const store = new SessionStore();
  process.env.ROBOTA_HOME = temporaryDirectory();

  store.save(record('s1'));

  expect(store.getFilePath('s1')).toBe(join(process.env.ROBOTA_HOME, 'sessions', 's1.json'));
  expect(existsSync(store.getFilePath('s1'))).toBe(true);
});

it('a record, log or index that cannot be read hides no other session', () => {
  const directory = temporaryDirectory();
  const logDir = temporaryDirectory();
  const store = new SessionStore(directory, { logDir });
  store.save(record('s1'));
  mkdirSync(join(directory, 'folder.json'));
  mkdirSync(join(logDir, 'folder-too.jsonl'));

  expect(store.listSummaries().map(({ id }) => id)).toEqual(['s1']);
  expect(store.list().map(({ id }) => id)).toEqual(['s1']);

  rmSync(join(directory, '.summaries.index'), { force: true });
  mkdirSync(join(directory, '.summaries.index'));
  expect(store.listSummaries().map(({ id }) => id)).toEqual(['s1']);
});

it('waits for no pipe in the place of a file', () => {
  const directory = temporaryDirectory();
  const logDir = temporaryDirectory();
  const store = new SessionStore(directory, { logDir });
  store.save(record('s1'));
  const pipes = [
    ...['a.json', 'c.lock', '.summaries.index'].map((name) => join(directory, name)),
    ...['b.jsonl', 'd.jsonl', 'd.vault'].map((name) => join(logDir, name)),
  ];
  for (const path of pipes) {
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
  }

  expect(store.list().map(({ id }) => id)).toEqual(['s1']);
  expect(store.listSummaries().map(({ id }) => id)).toEqual(['s1']);
  expect(() => store.load('a')).toThrow(/a\.json is not a regular file; rename or remove it/);
  expect(() => store.load('b')).toThrow(/b\.jsonl is not a regular file; rename or remove it/);
  expect(() => store.lock('c')).toThrow(/c\.lock is not a regular file; rename or remove it/);
  expect(() => new FileSessionLogger(logDir).openSink('d')).toThrow(/d\.jsonl is not a regular/);
  expect(store.openVault('d').isEmpty).toBe(true);
});

it.each(['[null]', '{"s1":null}', '{"s1":5,"__proto__":{}}'])(
  'an index that holds %s is rebuilt',
  (index) => {
    const directory = temporaryDirectory();
    const store = new SessionStore(directory);
    store.save(record('s1'));
    writeFileSync(join(directory, '.summaries.index'), index);

    expect(store.listSummaries().map(({ id }) => id)).toEqual(['s1']);
  },
);
