import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  FileTranscriptPersistence,
  MemoryTranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../drivers/temporary-home.ts';
import { describeTranscriptPersistence } from './describe-transcript-persistence.ts';

describeTranscriptPersistence('memory', () => new MemoryTranscriptPersistence());
describeTranscriptPersistence('file', () => new FileTranscriptPersistence(temporaryFolder()));

const RECORD = {
  sessionId: 'one',
  type: 'codex',
  agentProfileReference: 'none',
  status: 'pending',
} as const;

describe('file persistence', () => {
  it('lists all sessions except one with a broken record, and reports it', async () => {
    const root = temporaryFolder();
    const problems: string[] = [];
    const persistence = new FileTranscriptPersistence(root, ({ message }) =>
      problems.push(message),
    );
    await persistence.createSessionRecord(RECORD);
    await persistence.createSessionRecord({ ...RECORD, sessionId: 'two' });
    writeFileSync(join(root, 'one', 'session.json'), '{broken');

    const listed = await persistence.listAllSessions();

    expect(listed.map(({ sessionId }) => sessionId)).toEqual(['two']);
    expect(problems).toEqual([expect.stringContaining('record of agent session one')]);
  });

  it('locks a session for one writer at a time', async () => {
    const root = temporaryFolder();
    const persistence = new FileTranscriptPersistence(root);
    await persistence.createSessionRecord(RECORD);
    const lock = await persistence.acquireLock('one');

    const second = new FileTranscriptPersistence(root).acquireLock('one');

    await expect(second).rejects.toMatchObject({ code: 'session_locked', pid: process.pid });
    await lock.release();
    await lock.release();
    await expect(persistence.acquireLock('one')).resolves.toBeDefined();
    expect(readdirSync(join(root, 'one')).sort()).toEqual(['lock', 'session.json']);
  });

  it.each([
    ['is gone', { pid: 2 ** 22 + 1, started: '1', token: 'x' }],
    ['is another one of the same number', { pid: process.pid, started: 'long ago', token: 'x' }],
    ['wrote nonsense', 'nonsense'],
  ])(
    'takes the right from a process that %s, and does not call its session active',
    async (_, left) => {
      const root = temporaryFolder();
      const persistence = new FileTranscriptPersistence(root);
      await persistence.createSessionRecord({ ...RECORD, status: 'active' });
      writeFileSync(join(root, 'one', 'lock'), JSON.stringify(left));

      expect((await persistence.listAllSessions())[0]?.status).toBe('inactive');
      expect((await persistence.loadSession('one'))?.status).toBe('inactive');
      await persistence.acquireLock('one');
      expect((await persistence.loadSession('one'))?.status).toBe('active');
    },
  );

  it('rejects a lock on an unknown session, and creates nothing', async () => {
    const root = temporaryFolder();

    const lock = new FileTranscriptPersistence(root).acquireLock('one');

    await expect(lock).rejects.toMatchObject({ code: 'session_not_found' });
    expect(readdirSync(root)).toEqual([]);
  });

  it('is readable by another instance of the same folder, but not by other users', async () => {
    const root = temporaryFolder();
    const first = new FileTranscriptPersistence(root);
    await first.createSessionRecord(RECORD);
    await first.appendTranscript('one', { offset: 0, text: 'line\n' });

    const second = new FileTranscriptPersistence(root);

    expect(await second.loadSession('one')).toMatchObject({ ...RECORD, rawTranscript: 'line\n' });
    expect(statSync(join(root, 'one', 'transcript.jsonl')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'one')).mode & 0o777).toBe(0o700);
  });

  it('rejects ids and paths outside its folder', async () => {
    const persistence = new FileTranscriptPersistence(temporaryFolder());
    await persistence.createSessionRecord(RECORD);

    await expect(persistence.loadSession('../one')).rejects.toMatchObject({
      code: 'invalid_session_id',
    });
    const file = { path: '../out', content: '' };
    await expect(persistence.saveWorkspaceFile('one', file)).rejects.toThrow(/outside/);
    const piece = { subagentId: '../x', offset: 0, text: '' };
    await expect(persistence.appendTranscript('one', piece)).rejects.toMatchObject({
      code: 'invalid_session_id',
    });
  });

  it('names an unreadable record, and deletes nothing', async () => {
    const root = temporaryFolder();
    const persistence = new FileTranscriptPersistence(root);
    await persistence.createSessionRecord(RECORD);
    writeFileSync(join(root, 'one', 'session.json'), '{broken');

    await expect(persistence.loadSession('one')).rejects.toThrow(/record of agent session one/);
    await expect(persistence.createSessionRecord(RECORD)).rejects.toThrow(/Cannot read/);
  });
});
