import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionRecordError, SessionStoreUnavailableError } from '@robota-sdk/agent-store';
import { SqliteSessionStoreAdapter } from '@robota-sdk/agent-store/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { aSession } from '../contract/sessions.ts';

describe('a damaged or locked SQLite file', () => {
  let directory: string;
  let path: string;
  let adapter: SqliteSessionStoreAdapter;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'robota-store-'));
    path = join(directory, 'deep', 'sessions.db');
    adapter = new SqliteSessionStoreAdapter({ path, busyTimeoutMs: 120 });
  });
  afterEach(async () => {
    await adapter.close();
    chmodSync(directory, 0o700);
    rmSync(directory, { recursive: true });
  });

  it('is created with its directory, readable only by its owner', async () => {
    await adapter.insert(aSession());

    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'deep')).mode & 0o777).toBe(0o700);
  });

  it('reports outcome none while another process holds the lock for too long', async () => {
    const session = aSession();
    await adapter.insert(session);
    const other = new SqliteDatabase(path);
    other.prepare('BEGIN IMMEDIATE').run();

    const failure = await adapter
      .update(session.id, { state: 'active' })
      .catch((error: unknown) => error);
    other.prepare('COMMIT').run();
    other.close();

    expect(failure).toBeInstanceOf(SessionStoreUnavailableError);
    expect(failure).toMatchObject({ outcome: 'none', operation: `change session ${session.id}` });
    expect(await adapter.fetchById(session.id)).toEqual(session);
  });

  it('is rejected when it is a directory', async () => {
    mkdirSync(path, { recursive: true });

    await expect(adapter.fetchById('any')).rejects.toThrow(SessionStoreUnavailableError);
  });

  it('is rejected when it is not a database', async () => {
    mkdirSync(join(directory, 'deep'));
    writeFileSync(path, 'not a database, but long enough to look like one'.repeat(100));

    await expect(adapter.insert(aSession())).rejects.toThrow(SessionStoreUnavailableError);
  });

  it('is rejected when a newer version created it', async () => {
    await adapter.insert(aSession());
    const other = new SqliteDatabase(path);
    other.prepare('UPDATE robota_session_schema SET version = 99').run();
    other.close();
    const later = new SqliteSessionStoreAdapter(path);

    await expect(later.fetchById('any')).rejects.toThrow(SessionRecordError);
  });

  it('names the session with an unreadable record', async () => {
    const session = aSession();
    await adapter.insert(session);
    const other = new SqliteDatabase(path);
    other.prepare("UPDATE robota_sessions SET record = '{'").run();
    other.close();

    await expect(adapter.fetchById(session.id)).rejects.toThrow(
      new SessionRecordError(`the record of session ${session.id}: it is not JSON`),
    );
  });

  it('keeps all data when it is closed and reopened', async () => {
    const session = aSession();
    await adapter.insert(session);
    await adapter.close();

    expect(await adapter.fetchById(session.id)).toEqual(session);
  });
});
