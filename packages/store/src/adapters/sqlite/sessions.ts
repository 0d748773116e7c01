import type { SessionChange } from '../../atomic-session-store-adapter.ts';
import { SessionConflictError } from '../../errors/session-conflict-error.ts';
import { SessionNotFoundError } from '../../errors/session-not-found-error.ts';
import type { ExactQuery } from '../../session-query.ts';
import type { StoredSession } from '../../stored-session.ts';
import { keyText } from '../key-text.ts';
import { fromRecord, timesOf, toRecord } from '../session-record.ts';
import { FindStatements } from '../sql/find-statement.ts';
import type { TableNames } from '../sql/tables.ts';
import type { SqliteDatabase, SqlValue } from './database.ts';

/** The statements of the session tables. Synchronous; every write is a transaction. */
export class SqliteSessions {
  readonly #database: SqliteDatabase;
  readonly #tables: TableNames;
  readonly #finds: FindStatements;

  constructor(database: SqliteDatabase, tables: TableNames) {
    this.#database = database;
    this.#tables = tables;
    this.#finds = new FindStatements({ ...tables, parameter: (number) => `?${number}` });
  }

  read(sessionId: string): StoredSession | null {
    const row = this.#database
      .prepare(`SELECT record FROM ${this.#tables.sessions} WHERE id = ?`)
      .get(keyText(sessionId));
    return row === undefined ? null : toSession(row, sessionId);
  }

  find(query: ExactQuery): StoredSession[] {
    if (query.states.length === 0) return [];
    const { text, values } = this.#finds.write(query);
    return this.#all(text, values);
  }

  idleSince(cutoff: number, limit: number): StoredSession[] {
    const text = `SELECT record FROM ${this.#tables.sessions} WHERE state = 'active' AND activity_key > ? LIMIT ?`;
    return this.#all(text, [-cutoff, limit]);
  }

  suspendedSince(cutoff: number, limit: number): StoredSession[] {
    const text =
      `SELECT record FROM ${this.#tables.sessions} INDEXED BY robota_sessions_suspended` +
      ` WHERE state = 'suspended' AND changed_at < ? LIMIT ?`;
    return this.#all(text, [cutoff, limit]);
  }

  insert(session: StoredSession): void {
    const text = toRecord(session);
    const { activityKey, creationKey, changedAt } = timesOf(session);
    this.#database.transaction(() => {
      const { changes } = this.#database
        .prepare(
          `INSERT INTO ${this.#tables.sessions}
            (id, user_id, workspace_id, state, activity_key, creation_key, changed_at, revision, record)
            VALUES (?, ?, ?, ?, ?, ?, ?, '', ?) ON CONFLICT (id) DO NOTHING`,
        )
        .run(...ownersOf(session), session.state, activityKey, creationKey, changedAt, text);
      if (Number(changes) === 0) throw new SessionConflictError(session.id);
      this.#insertSlots(session);
    });
  }

  mutate(sessionId: string, change: SessionChange): StoredSession {
    return this.#database.transaction(() => {
      const current = this.read(sessionId);
      if (current === null) throw new SessionNotFoundError(sessionId);
      const next = change(current);
      if (next === undefined) return current;
      this.#replace(current, next);
      return next;
    });
  }

  delete(sessionId: string): void {
    this.#database.transaction(() => {
      this.#run(`DELETE FROM ${this.#tables.surfaces} WHERE id = ?`, [keyText(sessionId)]);
      this.#run(`DELETE FROM ${this.#tables.sessions} WHERE id = ?`, [keyText(sessionId)]);
    });
  }

  #replace(current: StoredSession, next: StoredSession): void {
    const { activityKey, changedAt } = timesOf(next);
    const [id, , workspaceId] = ownersOf(next);
    this.#run(
      `UPDATE ${this.#tables.sessions}
        SET workspace_id = ?, state = ?, activity_key = ?, changed_at = ?, record = ? WHERE id = ?`,
      [workspaceId, next.state, activityKey, changedAt, toRecord(next), id],
    );
    if (haveSameSurfaces(current, next)) {
      this.#refreshSlots(current, next);
    } else {
      this.#run(`DELETE FROM ${this.#tables.surfaces} WHERE id = ?`, [id]);
      this.#insertSlots(next);
    }
  }

  #refreshSlots(current: StoredSession, next: StoredSession): void {
    const isSame = current.state === next.state && current.lastActivityAt === next.lastActivityAt;
    if (isSame || next.attachedSurfaces.length === 0) return;
    this.#run(`UPDATE ${this.#tables.surfaces} SET state = ?, activity_key = ? WHERE id = ?`, [
      next.state,
      timesOf(next).activityKey,
      keyText(next.id),
    ]);
  }

  #insertSlots(session: StoredSession): void {
    const { activityKey, creationKey } = timesOf(session);
    for (const surfaceId of new Set(session.attachedSurfaces)) {
      this.#run(
        `INSERT INTO ${this.#tables.surfaces} (id, surface_id, state, activity_key, creation_key)
          VALUES (?, ?, ?, ?, ?)`,
        [keyText(session.id), keyText(surfaceId), session.state, activityKey, creationKey],
      );
    }
  }

  #run(sql: string, values: readonly SqlValue[]): void {
    this.#database.prepare(sql).run(...values);
  }

  #all(sql: string, values: readonly SqlValue[]): StoredSession[] {
    return this.#database
      .prepare(sql)
      .all(...values)
      .map((row) => toSession(row));
  }
}

function ownersOf(session: StoredSession): [string, string, string | null] {
  const workspaceId = session.workspaceId === undefined ? null : keyText(session.workspaceId);
  return [keyText(session.id), keyText(session.userId), workspaceId];
}

function haveSameSurfaces(left: StoredSession, right: StoredSession): boolean {
  const [before, after] = [left.attachedSurfaces, right.attachedSurfaces];
  return (
    before.length === after.length && before.every((surface, index) => surface === after[index])
  );
}

function toSession(row: unknown, sessionId?: string): StoredSession {
  return fromRecord((row as { record: unknown }).record, sessionId);
}
