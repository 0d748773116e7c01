import type { LedgerRequest } from '../ledger.ts';
import type { CatalogueDatabase } from './database.ts';
import { requestRange } from './numbers.ts';

/** Writes the requests of a session that has none yet, and settles which session each of them counts for. */
export function writeRequests(
  database: CatalogueDatabase,
  session: number,
  requests: readonly LedgerRequest[],
): void {
  const present = new Map(requests.map((request) => [request.key, request]));
  insertRequests(database, session, [...present.values()]);
  settle(database, sharedKeys(database, session));
}

function insertRequests(
  database: CatalogueDatabase,
  session: number,
  requests: readonly LedgerRequest[],
): void {
  const words = new Map<string, number>();
  const numberOf = (text: string) => {
    const known = words.get(text) ?? wordNumber(database, text);
    words.set(text, known);
    return known;
  };
  let [id, last] = requestRange(session);
  for (const request of requests) {
    if (id > last) return;
    database.run(
      'insert into usage values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)',
      id++,
      BigInt(request.key),
      request.at,
      request.model === null ? null : numberOf(request.model),
      numberOf(request.cause),
      request.input,
      request.output,
      request.cacheRead,
      request.cacheWrite,
      request.cacheWrite1h,
      request.thinking,
      request.cost,
      request.isCopy ? 1 : 0,
    );
  }
}

/** Nearly all requests are in one transcript only, so only shared ones are settled one by one. */
export function sharedKeys(database: CatalogueDatabase, session: number): string[] {
  const rows = database.rows(
    `select distinct cast(mine.key as text) as key from usage mine
     join usage theirs on theirs.key = mine.key and theirs.id <> mine.id
     where mine.id between ? and ?`,
    ...requestRange(session),
  );
  return rows.map(({ key }) => String(key));
}

/** Deletes the requests of a session and returns their keys, which other sessions may have too. */
export function deleteRequests(database: CatalogueDatabase, session: number): readonly string[] {
  const range = requestRange(session);
  const rows = database.rows(
    'select cast(key as text) as key from usage where id between ? and ?',
    ...range,
  );
  if (rows.length === 0) return [];
  database.run('delete from usage where id between ? and ?', ...range);
  return rows.map(({ key }) => String(key));
}

/**
 * A request counts for one session. In order of preference: not marked as a copy, the most output, the oldest session,
 * a session that still exists. The rule does not depend on the order of reading.
 */
export function settle(database: CatalogueDatabase, keys: Iterable<string>): void {
  for (const key of keys) {
    const number = BigInt(key);
    const holders = database.rows('select session, counted from usage where key = ?', number);
    if (holders.length === 0 || (holders.length === 1 && holders[0]?.counted === 1)) continue;
    const winner = database.row(
      `select u.session from usage u join session s on s.id = u.session where u.key = ?
       order by u.copy, u.output desc, s.created, s.gone is not null, s.path, s.native_id limit 1`,
      number,
    );
    database.run(
      'update usage set counted = (session = ?) where key = ?',
      winner?.session ?? null,
      number,
    );
  }
}

/** Whether the session has a request that no other has, or has with less output, so that deleting it loses data. */
export function holdsMore(database: CatalogueDatabase, session: number): boolean {
  const found = database.row(
    `select 1 as found from usage mine where mine.id between ? and ? and not exists (
       select 1 from usage theirs where theirs.key = mine.key and theirs.id <> mine.id and theirs.output >= mine.output)
     limit 1`,
    ...requestRange(session),
  );
  return found !== undefined;
}

/** Names of models and causes are stored once. */
function wordNumber(database: CatalogueDatabase, text: string): number {
  const known = database.row('select id from word where text = ?', text);
  return known ? Number(known.id) : database.insert('insert into word(text) values (?)', text);
}
