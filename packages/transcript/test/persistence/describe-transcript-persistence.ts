import {
  AgentSessionExistsError,
  AgentSessionNotFoundError,
  TranscriptConflictError,
  type TranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';

const RECORD = {
  sessionId: 'one',
  type: 'claude-agent-sdk',
  agentProfileReference: 'none',
  status: 'pending',
  createdAt: 1,
  lastActivity: 1,
} as const;

/** The contract of every `TranscriptPersistence`. */
export function describeTranscriptPersistence(
  name: string,
  create: () => TranscriptPersistence,
): void {
  describe(`${name} persistence`, () => {
    const withSession = async () => {
      const persistence = create();
      await persistence.createSessionRecord(RECORD);
      return persistence;
    };

    it('returns what was created', async () => {
      const persistence = await withSession();

      expect(await persistence.loadSession('one')).toEqual({
        ...RECORD,
        subagents: [],
        workspaceFiles: [],
      });
      expect(await persistence.loadSession('two')).toBeNull();
    });

    it('rejects an existing id', async () => {
      const persistence = await withSession();

      await expect(persistence.createSessionRecord(RECORD)).rejects.toThrow(
        AgentSessionExistsError,
      );
    });

    it('updates a record, and rejects an unknown one', async () => {
      const persistence = await withSession();
      await persistence.acquireLock?.('one');

      await persistence.updateSessionRecord('one', { status: 'active', metadata: { a: 1 } });

      expect(await persistence.loadSession('one')).toMatchObject({
        status: 'active',
        metadata: { a: 1 },
        createdAt: 1,
      });
      await expect(persistence.updateSessionRecord('two', {})).rejects.toThrow(
        AgentSessionNotFoundError,
      );
    });

    it('lists the most recent activity first', async () => {
      const persistence = await withSession();
      await persistence.createSessionRecord({ ...RECORD, sessionId: 'two', lastActivity: 2 });

      const listed = await persistence.listAllSessions();

      expect(listed.map(({ sessionId }) => sessionId)).toEqual(['two', 'one']);
    });

    it('appends to transcripts and returns them byte for byte', async () => {
      const persistence = await withSession();

      await persistence.appendTranscript('one', { offset: 0, text: '{"ü":1}\n' });
      await persistence.appendTranscript('one', { offset: 9, text: '\u0000torn\r\n\u{1F600}' });
      await persistence.appendTranscript('one', {
        subagentId: 'a1',
        offset: 0,
        text: 'sub\n',
        meta: '{}',
      });

      expect(await persistence.loadSession('one')).toMatchObject({
        rawTranscript: '{"ü":1}\n\u0000torn\r\n\u{1F600}',
        subagents: [{ id: 'a1', rawTranscript: 'sub\n', rawMeta: '{}' }],
      });
    });

    it('ignores text that is already saved', async () => {
      const persistence = await withSession();
      await persistence.appendTranscript('one', { offset: 0, text: 'line 1\n' });

      await persistence.appendTranscript('one', { offset: 0, text: 'line 1\nline 2\n' });
      await persistence.appendTranscript('one', { offset: 0, text: 'line' });
      await persistence.appendTranscript('one', { offset: 0, text: '' });

      expect((await persistence.loadSession('one'))?.rawTranscript).toBe('line 1\nline 2\n');
    });

    it.each([
      { why: 'something else', piece: { offset: 0, text: 'another\n' } },
      { why: 'something with a gap before it', piece: { offset: 100, text: 'later\n' } },
    ])('rejects $why and keeps the saved text', async ({ piece }) => {
      const persistence = await withSession();
      await persistence.appendTranscript('one', { offset: 0, text: 'line 1\n' });

      await expect(persistence.appendTranscript('one', piece)).rejects.toThrow(
        TranscriptConflictError,
      );

      expect((await persistence.loadSession('one'))?.rawTranscript).toBe('line 1\n');
    });

    it('keeps the order of concurrent calls', async () => {
      const persistence = await withSession();

      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          persistence.appendTranscript('one', { offset: index * 3, text: `${10 + index}\n` }),
        ),
      );

      const lines = (await persistence.loadSession('one'))?.rawTranscript?.trim().split('\n');
      expect(lines).toEqual(Array.from({ length: 20 }, (_, index) => String(10 + index)));
    });

    it('saves and deletes workspace files, including empty and binary ones', async () => {
      const persistence = await withSession();

      await persistence.saveWorkspaceFile('one', { path: 'a/b.txt', content: 'text' });
      await persistence.saveWorkspaceFile('one', { path: 'empty', content: '' });
      await persistence.saveWorkspaceFile('one', { path: 'image.png', content: undefined });
      await persistence.saveWorkspaceFile('one', { path: 'gone', content: 'x' });
      await persistence.deleteWorkspaceFile('one', 'gone');
      await persistence.deleteWorkspaceFile('one', 'never there');

      expect((await persistence.loadSession('one'))?.workspaceFiles).toEqual([
        { path: 'a/b.txt', content: 'text' },
        { path: 'empty', content: '' },
        { path: 'image.png', content: undefined },
      ]);
    });

    it('deletes all data of a session', async () => {
      const persistence = await withSession();
      await persistence.appendTranscript('one', { offset: 0, text: 'line 1\n' });

      await persistence.deleteSession('one');
      await persistence.deleteSession('one');

      expect(await persistence.loadSession('one')).toBeNull();
      expect(await persistence.listAllSessions()).toEqual([]);
    });
  });
}
