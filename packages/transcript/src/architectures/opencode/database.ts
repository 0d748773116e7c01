import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { asId, asRecord, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';

/** A session row; the conversation is in other tables. */
export interface OpencodeSession {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly directory: string | undefined;
  readonly title: string | undefined;
  readonly updatedAt: number;
}

/** The rows of one session as JSON lines, ordered by id. */
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

/** Sessions started by another one, directly or indirectly. */
export function childSessionIds(database: string, sessionId: string): readonly string[] {
  return withDatabase(database, (query) => {
    const found = new Set([sessionId]);
    // Grows during iteration, so that agents of agents are found too.
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

export function opencodeSessions(database: string): readonly OpencodeSession[] {
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

/** A session with its child sessions, and a version that changes with any of their rows. */
export interface FamilyRow extends OpencodeSession {
  readonly childIds: readonly string[];
  readonly version: string;
  readonly bytes: number;
}

/** All sessions started by users. Reads sizes, not texts. */
export function familyRows(database: string): readonly FamilyRow[] {
  const rows = opencodeSessions(database);
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
    // Grows during iteration, so that agents of agents are included.
    for (const { id } of family) for (const child of children.get(id) ?? []) family.add(child);
    const members = [...family];
    const counts = members.flatMap(({ id }) => sizes.map((list) => list.get(id)));
    return [
      {
        ...row,
        updatedAt: members.reduce((latest, one) => Math.max(latest, one.updatedAt), row.updatedAt),
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

function childrenOf(
  rows: readonly OpencodeSession[],
): ReadonlyMap<string, readonly OpencodeSession[]> {
  const children = new Map<string, OpencodeSession[]>();
  for (const row of rows) {
    if (row.parentId === undefined) continue;
    const siblings = children.get(row.parentId);
    if (siblings === undefined) children.set(row.parentId, [row]);
    else siblings.push(row);
  }
  return children;
}

/** Changes whenever something may have been written; SQLite writes the WAL file first. */
export async function databaseVersion(database: string): Promise<string | undefined> {
  const files = await Promise.all(
    [database, `${database}-wal`].map((path) => stat(path).catch(() => undefined)),
  );
  if (files[0] === undefined) return undefined;
  return files.map((found) => `${found?.ino}/${found?.size}/${found?.mtimeMs}`).join(' ');
}

type Query = (sql: string, ...values: string[]) => JsonRecord[];

/**
 * Opened read-only and closed immediately, so that it never blocks the program itself. While nothing waits in the WAL
 * file the database is read as immutable: otherwise SQLite would create two files beside it and leave them there.
 */
function withDatabase<Result>(path: string, read: (query: Query) => Result): Result {
  // The driver would wait for the writer of a pipe, and the whole process with it.
  if (!statSync(path).isFile()) throw new Error(`${path} is not a file`);
  const before = writtenState(path);
  if (before.hasWal) return readFrom(path, read);
  try {
    const location = new URL(`${pathToFileURL(path).href}?immutable=1`);
    const result = readFrom(location, read);
    if (writtenState(path).stamp === before.stamp) return result;
  } catch {
    // Written to meanwhile, or a driver without URLs; the locking read below reports what is wrong with the file itself.
  }
  return readFrom(path, read);
}

function readFrom<Result>(location: string | URL, read: (query: Query) => Result): Result {
  const { DatabaseSync } = loadDriver();
  const database = new DatabaseSync(location, { readOnly: true });
  try {
    return read((sql, ...values) => database.prepare(sql).all(...values) as JsonRecord[]);
  } finally {
    database.close();
  }
}

function writtenState(path: string): { readonly hasWal: boolean; readonly stamp: string } {
  const [main, wal] = [path, `${path}-wal`].map((file) =>
    statSync(file, { throwIfNoEntry: false }),
  );
  const stamp = [main, wal].map((found) => `${found?.ino}/${found?.size}/${found?.mtimeMs}`);
  return { hasWal: (wal?.size ?? 0) > 0, stamp: stamp.join(' ') };
}

function jsonOf(text: unknown): JsonRecord {
  return typeof text === 'string' ? asRecord(parseLine(text)) : asRecord(text);
}

interface SqliteDriver {
  readonly DatabaseSync: new (
    path: string | URL,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(sql: string): { all(...values: string[]): unknown[] };
    close(): void;
  };
}

/** Loaded on first use, so that users without opencode need no driver. */
function loadDriver(): SqliteDriver {
  const builtIn: unknown = process.getBuiltinModule('node:sqlite');
  // Typed by their documentation; older versions of Node do not have this module.
  if (builtIn !== undefined) return builtIn as SqliteDriver;
  return createRequire(import.meta.url)('@photostructure/sqlite') as SqliteDriver;
}
