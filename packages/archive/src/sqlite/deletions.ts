import type { TranscriptFamily } from '@robota-sdk/agent-transcript/architectures';
import { toAgentName } from '@robota-sdk/agent-transcript/blocks';
import type { DeletionNotice } from '../catalogue.ts';
import type { DeletedSession, LedgerRequest } from '../ledger.ts';
import type { CatalogueDatabase, SqlRow } from './database.ts';
import { REQUEST_BITS, requestRange } from './numbers.ts';
import type { RefreshContext } from './refresh.ts';
import { writeRequests } from './request-rows.ts';
import { SessionRows } from './session-rows.ts';

/** Sessions whose transcripts were deleted, latest first, unless another copy has all their requests. */
export function listDeletions(database: CatalogueDatabase): DeletionNotice[] {
  const rows = database.rows(
    `select s.agent, s.native_id, s.title, s.path, s.gone, s.created, s.updated, p.name as project,
       count(u.key) as requests, coalesce(sum(u.cost), 0) as cost
     from session s left join project p on p.id = s.project
     left join usage u on u.id between s.id << ${REQUEST_BITS} and (s.id + 1 << ${REQUEST_BITS}) - 1 and u.counted = 1
     where s.gone is not null group by s.id
     having count(u.key) > 0 or not exists (select 1 from session t where t.native_id = s.native_id and t.type = s.type
       and (t.gone is null or t.gone > s.gone))
     order by s.gone desc, s.native_id`,
  );
  return rows.map((row) => ({
    agent: String(row.agent),
    id: String(row.native_id),
    title: textOf(row.title) ?? '',
    project: textOf(row.project) ?? '',
    path: String(row.path),
    createdAt: Number(row.created),
    updatedAt: Number(row.updated),
    noticedAt: Number(row.gone),
    requests: Number(row.requests),
    costUsd: Number(row.cost),
  }));
}

/** The ledger entry of a session whose transcript was deleted. */
export function deletedSession(
  database: CatalogueDatabase,
  session: number,
  deletedAt: number,
): DeletedSession {
  const row = database.row(
    `select s.type, s.native_id, s.path, s.cwd, s.title, s.created, s.updated, p.key, p.name
     from session s left join project p on p.id = s.project where s.id = ?`,
    session,
  );
  const requests = database.rows(
    `select cast(u.key as text) as id, u.at, m.text as model, c.text as cause, u.input, u.output, u.cache_read,
       u.cache_write, u.cache_write_1h, u.thinking, u.cost, u.copy
     from usage u left join word m on m.id = u.model left join word c on c.id = u.cause
     where u.id between ? and ? order by u.at, u.key`,
    ...requestRange(session),
  );
  const type = String(row?.type);
  return {
    type,
    id: String(row?.native_id),
    path: String(row?.path),
    cwd: textOf(row?.cwd),
    project: textOf(row?.name) ?? '',
    projectKey: textOf(row?.key) ?? '',
    title: type === 'robota' ? null : textOf(row?.title),
    createdAt: Number(row?.created),
    updatedAt: Number(row?.updated),
    deletedAt,
    requests: requests.map(toRequest),
  };
}

/** Restores sessions of the ledger that are missing because the catalogue was rebuilt. */
export function restoreDeleted(
  database: CatalogueDatabase,
  families: readonly TranscriptFamily[],
  { ledger, directories }: Pick<RefreshContext, 'ledger' | 'directories'>,
): void {
  const present = new Set(families.map(({ type, id, path }) => `${type}\n${id}\n${path}`));
  const known = new Set(
    database
      .rows('select type, native_id, path from session where gone is not null')
      .map(({ type, native_id, path }) => `${type}\n${native_id}\n${path}`),
  );
  const rows = new SessionRows(database, directories);
  for (const deleted of ledger.read()) {
    const key = `${deleted.type}\n${deleted.id}\n${deleted.path}`;
    if (present.has(key) || known.has(key)) continue;
    const { type, id, path, cwd, createdAt, updatedAt, deletedAt } = deleted;
    const project =
      deleted.projectKey === '' ? null : rows.project(deleted.projectKey, deleted.project);
    const session = database.insert(
      `insert into session(type, agent, native_id, path, parts, version, project, cwd, title, preview, created,
         updated, messages, orphan, gone, hidden, digest)
       values (?, ?, ?, ?, '[]', '', ?, ?, ?, '', ?, ?, 0, 0, ?, 1, '')`,
      type,
      toAgentName(type),
      id,
      path,
      project,
      cwd,
      deleted.title,
      createdAt,
      updatedAt,
      deletedAt,
    );
    writeRequests(database, session, deleted.requests);
  }
}

function toRequest(row: SqlRow): LedgerRequest {
  const count = (column: string) => Number(row[column] ?? 0);
  return {
    key: String(row.id),
    at: count('at'),
    model: textOf(row.model),
    cause: String(row.cause),
    input: count('input'),
    output: count('output'),
    cacheRead: count('cache_read'),
    cacheWrite: count('cache_write'),
    cacheWrite1h: count('cache_write_1h'),
    thinking: count('thinking'),
    cost: typeof row.cost === 'number' ? row.cost : null,
    isCopy: row.copy === 1,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
