import type { ListQuery, SessionPage } from '../catalogue.ts';
import { parseSearch } from '../reading/search-words.ts';
import type { CatalogueDatabase } from './database.ts';
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
  const conditions = conditionsOf(query);
  const { limit = DEFAULT_LIMIT, name, text, after, archived = 'without' } = query;
  if (archived !== 'with')
    conditions.add(`coalesce(l.archived, 0) = ${archived === 'only' ? 1 : 0}`);
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
    next: rows.length > limit && last ? JSON.stringify([last.updated, last.native_id]) : undefined,
  };
}

/** False when there is nothing to look for, and so nothing that has it. */
function addText(conditions: SessionConditions, text: string): boolean {
  const terms = parseSearch(text);
  if (terms.problem !== undefined) return false;
  conditions.add(
    `s.id in (select (select session from span where first <= w.rowid order by first desc limit 1)
       from words w where w.words match ?)`,
    matchExpression(terms, undefined),
  );
  return true;
}

function addCursor(conditions: SessionConditions, after: string): void {
  const place: unknown = parseCursor(after);
  if (!Array.isArray(place) || typeof place[0] !== 'number' || typeof place[1] !== 'string')
    throw new TypeError(`Not a place in a list of sessions: ${after}`);
  conditions.add('(s.updated, s.native_id) < (?, ?)', place[0], place[1]);
}

function parseCursor(after: string): unknown {
  try {
    return JSON.parse(after);
  } catch {
    // Told apart by the caller, who says what is wrong.
    return undefined;
  }
}
