import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionRecordError, SessionStoreUnavailableError } from '@robota-sdk/agent-store';
import { SqliteSessionStoreAdapter } from '@robota-sdk/agent-store/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { aSession } from '../contract/sessions.ts';

describe('a troubled SQLite file', () => {
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

  it('is created with its directory, for its owner only', async () => {
    await adapter.insert(aSession());

    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'deep')).mode & 0o777).toBe(0o700);
  });

  it('says that nothing was written while another process holds it for too long', async () => {
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

  it('is refused when it is a directory', async () => {
    mkdirSync(path, { recursive: true });

    await expect(adapter.fetchById('any')).rejects.toThrow(SessionStoreUnavailableError);
  });

  it('is refused when it is no database', async () => {
    mkdirSync(join(directory, 'deep'));
    writeFileSync(path, 'not a database, but long enough to look like one'.repeat(100));

    await expect(adapter.insert(aSession())).rejects.toThrow(SessionStoreUnavailableError);
  });

  it('is refused when a newer program made it', async () => {
    await adapter.insert(aSession());
    const other = new SqliteDatabase(path);
    other.prepare('UPDATE robota_session_schema SET version = 99').run();
    other.close();
    const later = new SqliteSessionStoreAdapter(path);

    await expect(later.fetchById('any')).rejects.toThrow(SessionRecordError);
  });

  it('names the session whose record cannot be read', async () => {
    const session = aSession();
    await adapter.insert(session);
    const other = new SqliteDatabase(path);
    other.prepare("UPDATE robota_sessions SET record = '{'").run();
    other.close();

    await expect(adapter.fetchById(session.id)).rejects.toThrow(
      new SessionRecordError(`the record of session ${session.id}: it is not JSON`),
    );
  });

  it('keeps everything when it is closed and opened again', async () => {
    const session = aSession();
    await adapter.insert(session);
    await adapter.close();

    expect(await adapter.fetchById(session.id)).toEqual(session);
  });
});
