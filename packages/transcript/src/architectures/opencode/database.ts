import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { asId, asRecord, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';

/** A session as its row says it; the conversation is in other rows. */
export interface SessionRow {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly directory: string | undefined;
  readonly title: string | undefined;
  readonly updatedAt: number;
}

/** The rows of one session, each as a line, in the order of their ids. */
export function readSessionLines(database: string, sessionId: string): readonly string[] {
  return withDatabase(database, (query) => {
    const [session] = query('select * from session where id = ?', sessionId);
    if (session === undefined) return [];
    const messages = query(
      'select id, data from message where session_id = ? order by id',
      sessionId,
    );
    const parts = query(
      'select p.id, p.message_id, p.data from part p join message m on m.id = p.message_id ' +
        'where m.session_id = ? order by p.message_id, p.id',
      sessionId,
    );
    return [
      JSON.stringify({ session: { ...session, revert: jsonOf(session.revert) } }),
      ...messages.map(({ id, data }) => JSON.stringify({ message: { ...jsonOf(data), id } })),
      ...parts.map(({ id, message_id, data }) =>
        JSON.stringify({ part: { ...jsonOf(data), id, messageID: message_id } }),
      ),
    ];
  });
}

/** The sessions that another one started, and those they started. */
export function childSessionIds(database: string, sessionId: string): readonly string[] {
  return withDatabase(database, (query) => {
    const found = new Set([sessionId]);
    // Grows while it is read: agents of agents are looked for too.
    for (const parent of found) {
      for (const { id } of query(
        'select id from session where parent_id = ? order by id',
        parent,
      )) {
        found.add(String(id));
      }
    }
    found.delete(sessionId);
    return [...found];
  });
}

export function sessionRows(database: string): readonly SessionRow[] {
  return withDatabase(database, (query) =>
    query('select id, parent_id, directory, title, time_updated from session').map((row) => ({
      id: String(row.id),
      parentId: asId(row.parent_id),
      directory: asId(row.directory),
      title: asId(row.title),
      updatedAt: Number(row.time_updated ?? 0),
    })),
  );
}

/** A session with those it started, and what changes whenever one of their rows does. */
export interface FamilyRow extends SessionRow {
  readonly childIds: readonly string[];
  readonly version: string;
  readonly bytes: number;
}

/** All sessions that people started. Sizes are read, texts are not. */
export function familyRows(database: string): readonly FamilyRow[] {
  const rows = sessionRows(database);
  const sizes = withDatabase(database, (query) => {
    const size = 'count(*) as rows, coalesce(sum(octet_length(data)), 0) as bytes';
    const messages = query(`select session_id as id, ${size} from message group by session_id`);
    const parts = query(
      'select m.session_id as id, count(*) as rows, coalesce(sum(octet_length(p.data)), 0) as bytes ' +
        'from part p join message m on m.id = p.message_id group by m.session_id',
    );
    return [messages, parts].map((list) => new Map(list.map((row) => [String(row.id), row])));
  });
  const children = childrenOf(rows);
  return rows.flatMap((row) => {
    if (row.parentId !== undefined) return [];
    const family = new Set([row]);
    // Grows while it is read: agents of agents belong to it too.
    for (const { id } of family) for (const child of children.get(id) ?? []) family.add(child);
    const members = [...family];
    const counts = members.flatMap(({ id }) => sizes.map((list) => list.get(id)));
    return [
      {
        ...row,
        updatedAt: Math.max(...members.map(({ updatedAt }) => updatedAt)),
        childIds: members.slice(1).map(({ id }) => id),
        version: [
          ...members.map(({ id, updatedAt, title }) => `${id}/${updatedAt}/${title}`),
          ...counts.map((count) => `${count?.rows ?? 0}/${count?.bytes ?? 0}`),
        ].join(' '),
        bytes: counts.reduce((sum, count) => sum + Number(count?.bytes ?? 0), 0),
      },
    ];
  });
}

function childrenOf(rows: readonly SessionRow[]): ReadonlyMap<string, readonly SessionRow[]> {
  const children = new Map<string, SessionRow[]>();
  for (const row of rows) {
    if (row.parentId === undefined) continue;
    const siblings = children.get(row.parentId);
    if (siblings === undefined) children.set(row.parentId, [row]);
    else siblings.push(row);
  }
  return children;
}

/** Changes whenever something may have been written: the log beside the database is written first. */
export async function databaseVersion(database: string): Promise<string | undefined> {
  const files = await Promise.all(
    [database, `${database}-wal`].map((path) => stat(path).catch(() => undefined)),
  );
  if (files[0] === undefined) return undefined;
  return files.map((found) => `${found?.ino}/${found?.size}/${found?.mtimeMs}`).join(' ');
}

type Query = (sql: string, ...values: string[]) => JsonRecord[];

/** Opened for reading only and let go at once, so that the program itself is never in the way. */
function withDatabase<Result>(path: string, read: (query: Query) => Result): Result {
  const { DatabaseSync } = loadDriver();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return read((sql, ...values) => database.prepare(sql).all(...values) as JsonRecord[]);
  } finally {
    database.close();
  }
}

function jsonOf(text: unknown): JsonRecord {
  return typeof text === 'string' ? asRecord(parseLine(text)) : asRecord(text);
}

interface SqliteDriver {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(sql: string): { all(...values: string[]): unknown[] };
    close(): void;
  };
}

/** Loaded when the first database is read: whoever has no sessions of opencode needs no driver. */
function loadDriver(): SqliteDriver {
  const builtIn: unknown = process.getBuiltinModule('node:sqlite');
  // Both are typed by what their documentation promises; older versions of Node have no such module.
  if (builtIn !== undefined) return builtIn as SqliteDriver;
  return createRequire(import.meta.url)('@photostructure/sqlite') as SqliteDriver;
}
