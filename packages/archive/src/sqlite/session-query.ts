import { neutraliseLine } from '@robota-sdk/agent-transcript/neutralise';
import type { CatalogueSession, SessionFilter } from '../catalogue.ts';
import type { LabelFile } from '../labels.ts';
import { liveSessions } from '../live-sessions.ts';
import { identifyProject } from '../reading/project-identity.ts';
import { lineOf, sharedColumns, textOf } from '../reading/session-row.ts';
import type { CatalogueDatabase, SqlRow, SqlValue } from './database.ts';
import { requestRange } from './numbers.ts';

/** Conditions on `session s`, with their values. */
export class SessionConditions {
  readonly texts: string[] = [];
  readonly values: SqlValue[] = [];

  add(text: string, ...values: SqlValue[]): this {
    this.texts.push(text);
    this.values.push(...values);
    return this;
  }

  toString(): string {
    return this.texts.length === 0 ? 'true' : this.texts.map((text) => `(${text})`).join(' and ');
  }
}

/** Conditions of a filter; hidden sessions and copies are left out. */
export function conditionsOf(
  database: CatalogueDatabase,
  filter: SessionFilter,
): SessionConditions {
  const conditions = new SessionConditions().add('s.hidden = 0').add('s.twin = 0');
  addScope(database, conditions, filter);
  if (filter.since !== undefined) conditions.add('s.updated >= ?', filter.since);
  if (filter.until !== undefined) conditions.add('s.updated < ?', filter.until);
  if (filter.id !== undefined) conditions.add('s.native_id = ?', filter.id);
  return conditions;
}

export function addScope(
  database: CatalogueDatabase,
  conditions: SessionConditions,
  { agent, here, project }: Pick<SessionFilter, 'agent' | 'here' | 'project'>,
): void {
  if (agent !== undefined) conditions.add('s.type = ? or s.agent = ?', agent, agent);
  if (here !== undefined) {
    conditions.add(
      's.project = (select id from project where key = ?) or s.cwd = ?',
      projectKeyOf(database, here),
      here,
    );
  }
  if (project !== undefined) {
    const part = likePart(project);
    conditions.add(
      `s.project in (select id from project where name like ? escape '\\' or key like ? escape '\\')
       or s.cwd like ? escape '\\'`,
      part,
      part,
      part,
    );
  }
}

/** Uses the catalogue's known repositories, to avoid reading them again. */
function projectKeyOf(database: CatalogueDatabase, directory: string): string {
  return identifyProject(directory, (marker) => {
    const row = database.row(
      'select p.key, p.name from repository r join project p on p.id = r.project where r.marker = ?',
      marker,
    );
    return row && { key: String(row.key), name: String(row.name) };
  }).key;
}

export function likePart(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Columns of a `CatalogueSession`. */
export const SESSION_COLUMNS = `s.id, s.type, s.agent, s.native_id, s.title, s.name, s.preview, s.cwd, s.model, s.branch,
  s.fork_of, s.created, s.updated, s.messages, s.path, s.parts, p.name as project_name,
  l.name as label, coalesce(l.pinned, 0) as pinned, coalesce(l.archived, 0) as archived`;

export const SESSION_SOURCE = `session s left join project p on p.id = s.project
  left join temp.label l on l.type = s.type and l.native_id = s.native_id`;

/** Loads the users' labels into a temporary table of the connection; again when the file has changed. */
export class LabelTable {
  readonly #labels: LabelFile;
  #loaded: { readonly database: CatalogueDatabase; readonly stamp: string } | undefined;

  constructor(labels: LabelFile) {
    this.#labels = labels;
  }

  load(database: CatalogueDatabase): void {
    const stamp = this.#labels.stamp();
    if (this.#loaded?.database === database && this.#loaded.stamp === stamp) return;
    database.exec(
      `create table if not exists temp.label(type text, native_id text, name text, pinned integer,
         archived integer, primary key(type, native_id)) without rowid`,
    );
    database.run('delete from temp.label');
    for (const { type, id, name, isPinned, isArchived } of this.#labels.all()) {
      database.run(
        'insert or replace into temp.label values (?, ?, ?, ?, ?)',
        type,
        id,
        name === undefined ? null : neutraliseLine(name),
        isPinned ? 1 : 0,
        isArchived ? 1 : 0,
      );
    }
    this.#loaded = { database, stamp };
  }
}

/** Rows in the port's format, with their cost and whether they are being written. */
export function toSessions(
  database: CatalogueDatabase,
  rows: readonly SqlRow[],
  now: number,
): CatalogueSession[] {
  const live = liveSessions(
    rows.map((row) => ({
      type: String(row.type),
      path: String(row.path),
      updatedAt: Number(row.updated),
    })),
    now,
  );
  return rows.map((row, index) => {
    const cost = database.row(
      `select coalesce(sum(cost), 0) as paid, count(*) - count(cost) as unpriced
       from usage where id between ? and ? and counted = 1`,
      ...requestRange(Number(row.id)),
    );
    return {
      ...sharedColumns(row),
      project: lineOf(row.project_name) ?? '',
      costUsd: Number(cost?.paid ?? 0),
      unpriced: Number(cost?.unpriced ?? 0),
      forkOf: textOf(row.fork_of) ?? sharedPast(database, row),
      isLive: live[index] === true,
      isPinned: row.pinned === 1,
      isArchived: row.archived === 1,
    };
  });
}

/** A session without a recorded origin is a fork if some of its requests count for another one. */
function sharedPast(database: CatalogueDatabase, row: SqlRow): string | undefined {
  const owner = database.row(
    `select s.native_id from usage mine join usage theirs on theirs.key = mine.key and theirs.counted = 1
     join session s on s.id = theirs.session
     where mine.id between ? and ? and mine.counted = 0 and theirs.id <> mine.id and s.native_id <> ?
     group by s.id order by count(*) desc, s.native_id limit 1`,
    ...requestRange(Number(row.id)),
    row.native_id ?? '',
  );
  return textOf(owner?.native_id);
}
