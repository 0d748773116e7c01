import type { ListQuery, SessionPage } from '../catalogue.ts';
import { parseSearch } from '../reading/search-words.ts';
import type { CatalogueDatabase, SqlRow } from './database.ts';
import { matchExpression } from './match-expression.ts';
import {
  conditionsOf,
  likePart,
  SESSION_COLUMNS,
  SESSION_SOURCE,
  type SessionConditions,
  toSessions,
} from './session-query.ts';

const DEFAULT_LIMIT = 50;

export function listSessions(
  database: CatalogueDatabase,
  query: ListQuery,
  now: number,
): SessionPage {
  const conditions = conditionsOf(database, query);
  const { limit = DEFAULT_LIMIT, name, text, after, archived = 'without' } = query;
  if (archived !== 'with')
    conditions.add(`coalesce(l.archived, 0) = ${archived === 'only' ? 1 : 0}`);
  if (query.pinned === 'only') conditions.add('coalesce(l.pinned, 0) = 1');
  if (name !== undefined) {
    const part = likePart(name);
    conditions.add(
      `coalesce(l.name, '') like ? escape '\\' or s.title like ? escape '\\' or s.preview like ? escape '\\'`,
      part,
      part,
      part,
    );
  }
  if (text !== undefined && !addText(conditions, text)) return { sessions: [], next: undefined };
  if (after !== undefined) addCursor(conditions, after);
  const rows = database.rows(
    `select ${SESSION_COLUMNS} from ${SESSION_SOURCE} where ${conditions}
     order by s.updated desc, s.native_id desc, s.type limit ?`,
    ...conditions.values,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    sessions: toSessions(database, page, now),
    next: rows.length > limit && last ? cursorAfter(last) : undefined,
  };
}

/** False if the query is invalid, so that nothing matches. */
function addText(conditions: SessionConditions, text: string): boolean {
  const terms = parseSearch(text);
  if (terms.problem !== undefined) return false;
  conditions.add(
    `s.id in (select (select session from span where first <= w.rowid / 2 order by first desc limit 1)
       from words w where w.words match ?)`,
    matchExpression(terms),
  );
  return true;
}

/** The cursor of the page after a session, in characters that need no shell quoting. */
function cursorAfter(row: SqlRow): string {
  return [row.updated, row.type, row.native_id]
    .map((part) => encodeURIComponent(String(part)).replace(/[!'()*~]/g, escapeCharacter))
    .join('/');
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

function addCursor(conditions: SessionConditions, after: string): void {
  const [updated, type, id] = readCursor(after);
  conditions.add(
    '(s.updated, s.native_id) < (?, ?) or (s.updated, s.native_id) = (?, ?) and s.type > ?',
    updated,
    id,
    updated,
    id,
    type,
  );
}

function readCursor(after: string): readonly [updated: number, type: string, id: string] {
  try {
    const [updated, type, id] = after.split('/').map(decodeURIComponent);
    if (/^\d+$/.test(updated ?? '') && type !== undefined && id !== undefined)
      return [Number(updated), type, id];
  } catch {
    // A malformed escape is reported like a missing part.
  }
  throw new TypeError(`Not a place in a list of sessions: ${after}`);
}
