import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { acquireWriterLock, SessionStore } from '@robota-sdk/agent-session';
import { expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';

it('lets in one writer and tells the second how to go on', () => {
  const path = join(temporaryDirectory(), 's1.lock');
  acquireWriterLock(path, 's1');

  expect(() => acquireWriterLock(path, 's1')).toThrow(
    expect.objectContaining({
      code: 'session_locked',
      message: expect.stringMatching(/s1 .*process \d+.*read-only or fork/),
    }),
  );
});

it('lets the next one in after a release and leaves nothing behind', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 's1.lock');
  acquireWriterLock(path, 's1').release();

  const lock = acquireWriterLock(path, 's1');

  expect(lock.isHeld()).toBe(true);
  expect(readdirSync(directory)).toEqual(['s1.lock']);
});

it('breaks the lock of a process that is gone', () => {
  const path = join(temporaryDirectory(), 's1.lock');
  writeFileSync(path, JSON.stringify({ pid: 2 ** 30, startedAt: '1', token: 'gone' }));

  expect(acquireWriterLock(path, 's1').isHeld()).toBe(true);
});

it('breaks the lock of an earlier process that had the same pid', () => {
  const path = join(temporaryDirectory(), 's1.lock');
  writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: 'long ago', token: 'old' }));

  expect(acquireWriterLock(path, 's1').isHeld()).toBe(true);
});

it('breaks a lock that nobody can read', () => {
  const path = join(temporaryDirectory(), 's1.lock');
  writeFileSync(path, 'half a li');

  expect(acquireWriterLock(path, 's1').isHeld()).toBe(true);
});

it('does not remove the lock of whoever came after', () => {
  const path = join(temporaryDirectory(), 's1.lock');
  const lost = acquireWriterLock(path, 's1');
  const other = JSON.stringify({ pid: process.pid, startedAt: '', token: 'other' });
  writeFileSync(path, other);

  lost.release();

  expect(lost.isHeld()).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe(other);
});

it('refuses a second session on the same record until the first is shut down', async () => {
  const sessionStore = new SessionStore(temporaryDirectory());
  const first = startSession(scriptedProvider(), { sessionStore, sessionId: 's1' });
  const open = () => startSession(scriptedProvider(says('Hi.')), { sessionStore, sessionId: 's1' });

  expect(open).toThrow(expect.objectContaining({ code: 'session_locked' }));
  await first.shutdown();

  await expect(open().run('hello')).resolves.toBe('Hi.');
});

it('refuses to run once another writer has taken over', async () => {
  const directory = temporaryDirectory();
  const sessionStore = new SessionStore(directory);
  const session = startSession(scriptedProvider(says('Hi.')), { sessionStore, sessionId: 's1' });
  writeFileSync(
    join(directory, 's1.lock'),
    JSON.stringify({ pid: process.pid, startedAt: '', token: 'other' }),
  );

  await expect(session.run('hello')).rejects.toMatchObject({ code: 'session_locked' });
});
