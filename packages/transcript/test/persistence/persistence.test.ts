import { statSync, writeFileSync } from 'node:fs';
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
  it('is read by another one of the same folder, and by nobody else', async () => {
    const root = temporaryFolder();
    const first = new FileTranscriptPersistence(root);
    await first.createSessionRecord(RECORD);
    await first.appendTranscript('one', { offset: 0, text: 'line\n' });

    const second = new FileTranscriptPersistence(root);

    expect(await second.loadSession('one')).toMatchObject({ ...RECORD, rawTranscript: 'line\n' });
    expect(statSync(join(root, 'one', 'transcript.jsonl')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'one')).mode & 0o777).toBe(0o700);
  });

  it('refuses ids and paths that lead elsewhere', async () => {
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

  it('says which record it cannot read, and throws nothing away', async () => {
    const root = temporaryFolder();
    const persistence = new FileTranscriptPersistence(root);
    await persistence.createSessionRecord(RECORD);
    writeFileSync(join(root, 'one', 'session.json'), '{broken');

    await expect(persistence.loadSession('one')).rejects.toThrow(/record of agent session one/);
    await expect(persistence.createSessionRecord(RECORD)).rejects.toThrow(/Cannot read/);
  });
});
