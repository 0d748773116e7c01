import type { FoundSession, SearchHit, SearchPage, SearchQuery } from '../catalogue.ts';
import { parseSearch, type SearchTerms } from '../reading/search-words.ts';
import type { CatalogueDatabase, SqlRow } from './database.ts';
import { matchExpression } from './match-expression.ts';
import { blockOf, writtenBy } from './numbers.ts';
import { type BlockPlace, unpackPlaces } from './places.ts';
import { conditionsOf, SESSION_COLUMNS, SESSION_SOURCE, toSessions } from './session-query.ts';

/** Blocks are numbered chronologically, so the newest are found without ranking all. */
const FIRST_PAGE = 100;
const MAX_PAGE = 2000;
/** Matching blocks that are scanned for sessions that pass the filter. */
const MAX_DOCUMENTS = 50_000;

/** Results before transcripts are opened for snippets. */
export interface FoundPlaces {
  readonly page: SearchPage;
  readonly terms: SearchTerms;
  /** For each session of the page, the locations of its hits and their files. */
  readonly places: readonly SessionPlaces[];
}

interface SessionPlaces {
  readonly type: string;
  readonly path: string;
  readonly parts: string;
  readonly hits: readonly (BlockPlace & { readonly index: number })[];
}

export function searchPlaces(
  database: CatalogueDatabase,
  query: SearchQuery,
  now: number,
): FoundPlaces {
  const terms = parseSearch(query.text);
  if (terms.problem !== undefined) {
    return { page: { sessions: [], hasMore: false, problem: terms.problem }, terms, places: [] };
  }
  const { limit = 20, hitsPerSession = 3 } = query;
  const matches = new NewestMatches(database, terms, query.in);
  const allowed = new AllowedSessions(database, query);
  const found = new Map<number, { readonly row: SqlRow; readonly indexes: number[] }>();
  let hasMore = false;
  for (const { session, index } of matches) {
    const known = found.get(session);
    if (known !== undefined) {
      if (known.indexes.length < hitsPerSession) known.indexes.push(index);
      continue;
    }
    const row = allowed.row(session);
    if (row === undefined) continue;
    if (found.size === limit) {
      hasMore = true;
      break;
    }
    found.set(session, { row, indexes: [index] });
  }
  return describe(database, [...found.values()], {
    terms,
    now,
    hasMore: hasMore || matches.isCutOff,
  });
}

interface Describing {
  readonly terms: SearchTerms;
  readonly now: number;
  readonly hasMore: boolean;
}

function describe(
  database: CatalogueDatabase,
  found: readonly { readonly row: SqlRow; readonly indexes: readonly number[] }[],
  { terms, now, hasMore }: Describing,
): FoundPlaces {
  const sessions = toSessions(
    database,
    found.map(({ row }) => row),
    now,
  );
  const places = found.map(({ row, indexes }): SessionPlaces => {
    const blocks = placesOf(database, Number(row.id), indexes);
    const hits = indexes.flatMap((index) => {
      const place = blocks.get(index);
      return place === undefined ? [] : [{ ...place, index }];
    });
    return { type: String(row.type), path: String(row.path), parts: String(row.parts), hits };
  });
  const listed = sessions.map((session, index): FoundSession => {
    const hits = (places[index]?.hits ?? []).map(toHit);
    return { session, hits };
  });
  return { page: { sessions: listed, hasMore }, terms, places };
}

function toHit({ id, thread, isSuperseded }: BlockPlace): SearchHit {
  return { blockId: id, thread, isSuperseded, snippet: '' };
}

function placesOf(database: CatalogueDatabase, session: number, indexes: readonly number[]) {
  const row = database.prepare('select data from place where session = ?').get(session);
  const { data } = (row ?? {}) as { readonly data?: Uint8Array };
  return data === undefined ? new Map<number, BlockPlace>() : unpackPlaces(data, indexes);
}

/** Matching blocks, newest first, as session and index of the block in it. */
class NewestMatches {
  isCutOff = false;
  readonly #database: CatalogueDatabase;
  readonly #expression: string;
  readonly #sql: string;

  constructor(
    database: CatalogueDatabase,
    terms: SearchTerms,
    column: 'said' | 'tools' | undefined,
  ) {
    this.#database = database;
    this.#expression = matchExpression(terms);
    const scope = column === undefined ? '' : `and ${writtenBy(column)}`;
    // The span is joined in the same statement, because a query per row takes longer than the lookup.
    this.#sql = `select w.rowid as id, s.session, s.first from words w
      left join span s on s.first = (select max(first) from span where first <= w.rowid / 2)
      where w.words match ? and w.rowid < ? ${scope} order by w.rowid desc limit ?`;
  }

  *[Symbol.iterator](): Generator<{ readonly session: number; readonly index: number }> {
    let before = Number.MAX_SAFE_INTEGER;
    let page = FIRST_PAGE;
    for (let seen = 0; seen < MAX_DOCUMENTS; seen += page) {
      const rows = this.#database.rows(this.#sql, this.#expression, before, page);
      for (const { id, session, first } of rows) {
        if (session === null) continue;
        yield { session: Number(session), index: blockOf(Number(id)) - Number(first) };
      }
      if (rows.length < page) return;
      before = Number(rows.at(-1)?.id);
      page = Math.min(MAX_PAGE, page * 4);
    }
    this.isCutOff = true;
  }
}

/** Sessions that pass the filter, each queried once. */
class AllowedSessions {
  readonly #rows = new Map<number, SqlRow | undefined>();
  readonly #database: CatalogueDatabase;
  readonly #conditions;

  constructor(database: CatalogueDatabase, query: SearchQuery) {
    this.#database = database;
    this.#conditions = conditionsOf(database, query);
    // A session selected by its id may be archived.
    if (query.id === undefined) this.#conditions.add('coalesce(l.archived, 0) = 0');
  }

  row(session: number): SqlRow | undefined {
    if (this.#rows.has(session)) return this.#rows.get(session);
    const row = this.#database.row(
      `select ${SESSION_COLUMNS} from ${SESSION_SOURCE} where s.id = ? and ${this.#conditions}`,
      session,
      ...this.#conditions.values,
    );
    this.#rows.set(session, row);
    return row;
  }
}
