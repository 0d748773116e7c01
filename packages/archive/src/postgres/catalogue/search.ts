import type { FoundSession, SearchPage, SearchQuery } from '../../catalogue.ts';
import { parseSearch, type SearchTerms } from '../../reading/search-words.ts';
import { cutAround, termPattern } from '../../snippets.ts';
import type { Link, Row } from '../link.ts';
import type { Tables } from '../tables.ts';
import { termQuery } from './block-words.ts';
import { Conditions, conditionsOf } from './conditions.ts';
import type { SessionQueries } from './session-query.ts';

/** Blocks are numbered in the order of writing, so the newest are found without ranking all. */
const FIRST_PAGE = 100;
const LARGEST_PAGE = 2_000;
/** Matching blocks that are scanned for sessions that pass the filter. */
const MAX_BLOCKS = 50_000;

interface MatchParts {
  readonly tables: Tables;
  /** Receives the values of the condition. */
  readonly conditions: Conditions;
  readonly where: SearchQuery['in'];
}

/** The condition that `b`, a piece of a block, belongs to a block that has all wanted terms and no unwanted one. */
export function matchCondition(
  { wanted, unwanted }: SearchTerms,
  { tables, conditions, where }: MatchParts,
): string {
  const queries = wanted.flatMap((term) => termQuery(term) ?? []);
  // The longest term is usually the rarest, so it is looked up first and the others are checked on its matches.
  const [first = '', ...others] = queries.sort((one, other) => other.length - one.length);
  const elsewhere = (query: string) =>
    `EXISTS (SELECT FROM ${tables.catalogueBlock} o WHERE o.session = b.session AND o.seq = b.seq
       AND o.words @@ ${conditions.value(query)}::tsquery)`;
  const texts = [
    `b.words @@ ${conditions.value(first)}::tsquery`,
    ...others.map((query) => {
      const value = conditions.value(query);
      return `(b.words @@ ${value}::tsquery OR ${elsewhere(query)})`;
    }),
    ...unwanted.flatMap((term) => {
      const query = termQuery(term);
      return query === undefined ? [] : [`NOT ${elsewhere(query)}`];
    }),
    ...(where === undefined ? [] : [`b.is_tool = ${where === 'tools'}`]),
  ];
  return texts.join(' AND ');
}

interface FoundBlocks {
  readonly row: Row;
  /** In reverse order of the conversation. */
  readonly blocks: Row[];
}

/** Searches the blocks of all sessions, newest first. */
export class BlockSearch {
  readonly #link: Link;
  readonly #tables: Tables;
  readonly #queries: SessionQueries;

  constructor(link: Link, tables: Tables, queries: SessionQueries) {
    this.#link = link;
    this.#tables = tables;
    this.#queries = queries;
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    const terms = parseSearch(query.text);
    if (terms.problem !== undefined)
      return { sessions: [], hasMore: false, problem: terms.problem };
    const { limit = 20, hitsPerSession = 3 } = query;
    const found = new Map<number, FoundBlocks>();
    const passing = new Map<number, Row | undefined>();
    let [before, page] = [Number.MAX_SAFE_INTEGER, FIRST_PAGE];
    let hasMore = false;
    for (let seen = 0; ; seen += page, page = Math.min(LARGEST_PAGE, page * 4)) {
      const isCutOff = seen >= MAX_BLOCKS;
      const blocks = isCutOff ? [] : await this.#matches(terms, { query, before, page });
      await this.#ask(query, blocks, passing);
      hasMore ||= isCutOff || collect(blocks, { found, passing, limit, hitsPerSession });
      if (hasMore || blocks.length < page) break;
      before = Number(blocks.at(-1)?.id);
    }
    return { sessions: await this.#show([...found.values()], terms, query), hasMore };
  }

  #matches(
    terms: SearchTerms,
    { query, before, page }: { query: SearchQuery; before: number; page: number },
  ): Promise<readonly Row[]> {
    const conditions = new Conditions();
    const match = matchCondition(terms, { tables: this.#tables, conditions, where: query.in });
    return this.#link.query(
      `SELECT b.id, b.session, b.seq, b.block_id, b.thread, b.is_superseded FROM ${this.#tables.catalogueBlock} b
       WHERE ${match} AND b.id < ${conditions.value(before)}::bigint
       ORDER BY b.id DESC LIMIT ${conditions.value(page)}::bigint`,
      conditions.values,
    );
  }

  /** Checks each session against the filter once. */
  async #ask(query: SearchQuery, blocks: readonly Row[], passing: Map<number, Row | undefined>) {
    const fresh = [...new Set(blocks.map(({ session }) => Number(session)))].filter(
      (session) => !passing.has(session),
    );
    if (fresh.length === 0) return;
    const conditions = conditionsOf(query)
      .add('NOT coalesce(l.is_archived, false)')
      .add('s.id = ANY(?::bigint[])', fresh);
    const rows = await this.#queries.rows(conditions, '');
    for (const session of fresh) passing.set(session, undefined);
    for (const row of rows) passing.set(Number(row.id), row);
  }

  async #show(
    found: readonly FoundBlocks[],
    terms: SearchTerms,
    { snippets }: SearchQuery,
  ): Promise<FoundSession[]> {
    const sessions = this.#queries.describe(found.map(({ row }) => row));
    const ids = found.flatMap(({ blocks }) => blocks.map(({ id }) => Number(id)));
    const texts = snippets === 'without' ? new Map() : await this.#texts(ids);
    const patterns = terms.wanted.map(termPattern);
    return sessions.map((session, index) => ({
      session,
      hits: (found[index]?.blocks ?? []).map(({ id, block_id, thread, is_superseded }) => ({
        blockId: String(block_id),
        thread: String(thread),
        isSuperseded: is_superseded === true,
        snippet: cutAround(texts.get(Number(id)) ?? '', patterns) ?? '',
      })),
    }));
  }

  async #texts(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#link.query(
      `SELECT id, shown FROM ${this.#tables.catalogueBlock} WHERE id = ANY($1::bigint[])`,
      [ids],
    );
    return new Map(rows.map(({ id, shown }) => [Number(id), String(shown)]));
  }
}

interface Collecting {
  readonly found: Map<number, FoundBlocks>;
  readonly passing: ReadonlyMap<number, Row | undefined>;
  readonly limit: number;
  readonly hitsPerSession: number;
}

/** True if there is one more session than requested. */
function collect(
  blocks: readonly Row[],
  { found, passing, limit, hitsPerSession }: Collecting,
): boolean {
  for (const block of blocks) {
    const session = Number(block.session);
    const row = passing.get(session);
    if (row === undefined) continue;
    const known = found.get(session);
    const isSame = known?.blocks.some(({ seq }) => seq === block.seq) === true;
    if (known && !isSame && known.blocks.length < hitsPerSession) known.blocks.push(block);
    if (known) continue;
    if (found.size === limit) return true;
    found.set(session, { row, blocks: [block] });
  }
  return false;
}
