import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  describeSaveFailure,
  FileSessionLogger,
  loadSessionLogEntries,
  type SessionRecord,
  SessionStore,
} from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';

function failure(code: string): Error {
  const cause = Object.assign(new Error(`${code}: it failed, write`), { code, path: '/home/x' });
  return new Error('Cannot write /home/x', { cause });
}

describe('why something is not saved', () => {
  it.each([
    ['ENOSPC', 'free some space'],
    ['EDQUOT', 'free some space'],
    ['EROFS', 'make it writable or set ROBOTA_HOME'],
    ['EACCES', 'change its permissions'],
    ['ENOENT', 'mount or create it again'],
    ['EIO', 'check it'],
  ])('is told for %s with what to do', (code, advice) => {
    const text = describeSaveFailure(failure(code));

    expect(text).toContain(advice);
    expect(text).toMatch(/^\/home\/x: /);
  });

  it('is told in the words of the error where nothing better is known', () => {
    expect(describeSaveFailure(new Error('The archive is closed.'))).toBe('The archive is closed.');
  });
});

describe('a disk that is full for a while', () => {
  it('is told once, and once that all is well again', async () => {
    const home = temporaryDirectory();
    const store = new SessionStore(home);
    let isFull = true;
    const notices: string[] = [];
    const session = startSession(scriptedProvider(says('A.'), says('B.'), says('C.')), {
      sessionStore: {
        save: (record: SessionRecord) => {
          if (isFull) throw failure('ENOSPC');
          store.save(record);
        },
        load: (id) => store.load(id),
        list: () => store.list(),
        delete: (id) => store.delete(id),
      },
      onNotice: ({ kind, message }) => notices.push(`${kind}: ${message}`),
    });
    await session.run('a');
    await session.run('b');
    const problem = session.getSaveProblem();
    isFull = false;
    await session.run('c');

    expect(problem).toMatch(/is not being saved: \/home\/x: the disk is full; free some space/);
    expect(session.getSaveProblem()).toBeUndefined();
    expect(notices).toEqual([
      expect.stringMatching(/^not_saved: .*the disk is full/),
      expect.stringMatching(/^not_saved: .*is being saved again/),
    ]);
  });

  it('leaves no hole in the log and no secret behind', async () => {
    const home = temporaryDirectory();
    const logs = join(home, 'logs');
    writeFileSync(logs, 'in the way');
    const session = startSession(scriptedProvider(says('A.'), says('B.')), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(logs),
    });
    await session.run(`Keep AKIAIOSFODNN7EXAMPLE`);
    const problem = session.getSaveProblem();
    rmSync(logs);
    await session.run('b');
    await session.shutdown();

    expect(problem).toMatch(/is not being logged: .*move it away/);
    expect(session.getSaveProblem()).toBeUndefined();
    const said = loadSessionLogEntries(join(logs, 's1.jsonl')).filter(
      ({ event }) => event === 'user',
    );
    expect(said.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^Keep \[REDACTED:aws-key:[a-z0-9]{10}\]$/),
      'b',
    ]);
    const vault = new FileSessionLogger(logs).openVault('s1');
    expect(vault.isEmpty).toBe(false);
  });
});
