import type { StoredSession } from '../../stored-session.ts';
import type { Revision, RevisionedSessions } from '../compare-and-set.ts';
import { keyText } from '../key-text.ts';
import { fromRecord, timesOf, toRecord } from '../session-record.ts';
import type { TableNames } from '../sql/tables.ts';
import type { PostgresLink } from './link.ts';

/** Reads and writes one session with its surfaces, each in a single statement. */
export class PostgresSessions implements RevisionedSessions {
  readonly #link: PostgresLink;
  readonly #statements: ReturnType<typeof writeStatements>;
  readonly #tables: TableNames;

  constructor(link: PostgresLink, tables: TableNames) {
    this.#link = link;
    this.#tables = tables;
    this.#statements = writeStatements(tables);
  }

  async read(sessionId: string): Promise<Revision | null> {
    const [row] = await this.#link.query(
      'read',
      `SELECT record, revision FROM ${this.#tables.sessions} WHERE id = $1`,
      [keyText(sessionId)],
    );
    if (row === undefined) return null;
    return { session: fromRecord(row.record, sessionId), revision: String(row.revision) };
  }

  async insert({ session, revision }: Revision): Promise<boolean> {
    const { activityKey, creationKey, changedAt } = timesOf(session);
    const rows = await this.#link.query('write', this.#statements.insert, [
      keyText(session.id),
      keyText(session.userId),
      workspaceOf(session),
      session.state,
      activityKey,
      creationKey,
      changedAt,
      revision,
      toRecord(session),
      surfacesOf(session),
    ]);
    return rows.length === 1;
  }

  async replace(current: Revision, next: Revision): Promise<boolean> {
    const { session } = next;
    const { activityKey, creationKey, changedAt } = timesOf(session);
    const values = [
      keyText(session.id),
      current.revision,
      next.revision,
      workspaceOf(session),
      session.state,
      activityKey,
      changedAt,
      toRecord(session),
    ];
    const hasSlots = current.session.attachedSurfaces.length + session.attachedSurfaces.length > 0;
    const rows = hasSlots
      ? await this.#link.query('write', this.#statements.replaceWithSlots, [
          ...values,
          creationKey,
          surfacesOf(session),
        ])
      : await this.#link.query('write', this.#statements.replace, values);
    return rows.length === 1;
  }

  async delete(sessionId: string): Promise<void> {
    await this.#link.query('repeatable', this.#statements.delete, [keyText(sessionId)]);
  }
}

/** All parts of a statement see the same snapshot, so surface rows are never older than their session. */
export function writeStatements({ sessions, surfaces }: TableNames) {
  const replace =
    `UPDATE ${sessions} SET revision = $3, workspace_id = $4, state = $5, activity_key = $6, changed_at = $7,` +
    ' record = $8 WHERE id = $1 AND revision = $2 RETURNING id';
  // The list is passed as text, because the driver would encode a JSON parameter twice.
  const listed = (number: number): string => `json_array_elements_text($${number}::text::json)`;
  return {
    insert: `WITH written AS (
        INSERT INTO ${sessions}
          (id, user_id, workspace_id, state, activity_key, creation_key, changed_at, revision, record)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING RETURNING id
      ), slots AS (
        INSERT INTO ${surfaces} (id, surface_id, state, activity_key, creation_key)
        SELECT written.id, listed, $4, $5, $6 FROM written, ${listed(10)} AS listed
      ) SELECT id FROM written`,
    replace,
    replaceWithSlots: `WITH written AS (${replace}), freed AS (
        DELETE FROM ${surfaces} USING written WHERE ${surfaces}.id = written.id
          AND surface_id NOT IN (SELECT listed FROM ${listed(10)} AS listed)
      ), slots AS (
        INSERT INTO ${surfaces} (id, surface_id, state, activity_key, creation_key)
        SELECT written.id, listed, $5, $6, $9 FROM written, ${listed(10)} AS listed
        ON CONFLICT (id, surface_id) DO UPDATE SET state = $5, activity_key = $6
      ) SELECT id FROM written`,
    delete: `WITH gone AS (DELETE FROM ${sessions} WHERE id = $1 RETURNING id)
      DELETE FROM ${surfaces} WHERE id = $1`,
  } as const;
}

function workspaceOf(session: StoredSession): string | null {
  return session.workspaceId === undefined ? null : keyText(session.workspaceId);
}

function surfacesOf(session: StoredSession): string {
  return JSON.stringify([...new Set(session.attachedSurfaces)].map(keyText));
}
