import type {
  CatalogueSession,
  ListQuery,
  Resolution,
  SessionPage,
  SessionScope,
} from '../../catalogue.ts';
import { liveSessions } from '../../live-sessions.ts';
import { parseSearch } from '../../reading/search-words.ts';
import { lineOf, sharedColumns, textOf } from '../../reading/session-row.ts';
import type { Link, Row } from '../link.ts';
import type { Tables } from '../tables.ts';
import { type Conditions, conditionsOf, likePart, plain } from './conditions.ts';
import { matchCondition } from './search.ts';
import { AGENTS_SOURCE, ARCHIVE_PATH, ARCHIVE_SOURCE } from './sources.ts';

const DEFAULT_LIMIT = 50;
/** A shorter prefix of an id is more likely a typo than a reference. */
const SHORTEST_PREFIX = 4;
const MAX_CANDIDATES = 20;

/** Lists, resolves and describes sessions of the catalogue. */
export class SessionQueries {
  readonly #link: Link;
  readonly #tables: Tables;
  readonly #now: () => number;

  constructor(link: Link, tables: Tables, now: () => number) {
    this.#link = link;
    this.#tables = tables;
    this.#now = now;
  }

  async list(query: ListQuery): Promise<SessionPage> {
    const conditions = conditionsOf(query);
    const { limit = DEFAULT_LIMIT, name, text, after, archived = 'without' } = query;
    if (archived !== 'with') {
      conditions.add(`coalesce(l.is_archived, false) = ${archived === 'only'}`);
    }
    if (name !== undefined) {
      const part = likePart(name);
      conditions.add(
        `coalesce(l.name, '') ILIKE ? OR s.title ILIKE ? OR s.preview ILIKE ?`,
        part,
        part,
        part,
      );
    }
    if (after !== undefined) addCursor(conditions, after);
    if (text !== undefined) {
      const terms = parseSearch(text);
      if (terms.problem !== undefined) return { sessions: [], next: undefined };
      const match = matchCondition(terms, { tables: this.#tables, conditions, where: undefined });
      conditions.add(
        `s.id IN (SELECT b.session FROM ${this.#tables.catalogueBlock} b WHERE ${match})`,
      );
    }
    const rows = await this.rows(
      conditions,
      `ORDER BY s.updated DESC, s.native_id DESC, s.type LIMIT ${conditions.value(limit + 1)}::bigint`,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rows.length > limit && last !== undefined;
    return {
      sessions: this.describe(page),
      next: hasMore ? JSON.stringify([last.updated, last.native_id]) : undefined,
    };
  }

  /**
   * In this order: `last`, an id, a name (of this project before others), a prefix of an id. `claude:…` narrows
   * any of them to one agent. The first step that finds something decides; it never picks one of several.
   */
  async resolve(reference: string, scope: SessionScope): Promise<Resolution> {
    const [text, agent] = await this.#splitAgent(plain(reference));
    const narrowed = { agent: scope.agent ?? agent };
    const here = { ...narrowed, here: scope.here };
    if (text === 'last') {
      const [session] = await this.#find(conditionsOf(here));
      return session === undefined ? { kind: 'none' } : { kind: 'found', session };
    }
    if (text === '') return { kind: 'none' };
    const named = 'lower(coalesce(l.name, s.name, s.title)) = lower(?)';
    const steps = [
      () =>
        this.#find(
          conditionsOf(narrowed).add(
            's.native_id = ? OR s.path = ?',
            text,
            `${ARCHIVE_PATH}${text}`,
          ),
        ),
      async () => (scope.here === undefined ? [] : this.#find(conditionsOf(here).add(named, text))),
      () => this.#find(conditionsOf(narrowed).add(named, text)),
      async () =>
        text.length < SHORTEST_PREFIX
          ? []
          : this.#find(conditionsOf(narrowed).add('starts_with(s.native_id, ?)', text)),
    ];
    for (const step of steps) {
      const found = await step();
      const [session] = found;
      if (session !== undefined && found.length === 1) return { kind: 'found', session };
      if (session !== undefined) return { kind: 'ambiguous', candidates: found };
    }
    return { kind: 'none' };
  }

  /** Rows of sessions with everything that `describe` needs. */
  rows(conditions: Conditions, rest: string): Promise<readonly Row[]> {
    const { catalogueSession, catalogueLabel, catalogueUsage, node, question } = this.#tables;
    return this.#link.query(
      `SELECT s.id, s.type, s.agent, s.native_id, s.title, s.name, s.preview, s.cwd, s.model, s.branch, s.fork_of,
         s.created, s.updated, s.messages, s.path, s.source, s.project, l.name AS label, coalesce(l.is_pinned, false) AS is_pinned,
         coalesce(l.is_archived, false) AS is_archived, paid.cost, paid.unpriced, past.native_id AS past, n.name AS node,
         a.is_open_turn, a.holder_name,
         EXISTS (SELECT FROM ${question} q WHERE q.sid = a.live_sid AND q.taken_seq IS NULL AND q.answer IS NULL) AS is_asking
       FROM ${catalogueSession} s
       LEFT JOIN ${catalogueLabel} l ON l.type = s.type AND l.native_id = s.native_id
       LEFT JOIN LATERAL (SELECT coalesce(sum(u.cost), 0) AS cost, count(*) - count(u.cost) AS unpriced
         FROM ${catalogueUsage} u WHERE u.session = s.id AND u.is_counted) paid ON true
       LEFT JOIN LATERAL (SELECT o.native_id FROM ${catalogueUsage} mine
         JOIN ${catalogueUsage} theirs ON theirs.key = mine.key AND theirs.is_counted AND theirs.session <> mine.session
         JOIN ${catalogueSession} o ON o.id = theirs.session AND o.native_id <> s.native_id
         WHERE mine.session = s.id AND NOT mine.is_counted GROUP BY o.id ORDER BY count(*) DESC, o.native_id LIMIT 1) past
         ON s.fork_of IS NULL
       LEFT JOIN LATERAL (${this.#running()}) a ON true
       LEFT JOIN ${node} n ON n.id = a.owner AND n.until > clock_timestamp()
       WHERE ${conditions} ${rest}`,
      conditions.values,
    );
  }

  describe(rows: readonly Row[]): CatalogueSession[] {
    const places = rows.map(({ type, path, source, updated }) => ({
      type: String(type),
      path: isArchived(source) ? '' : String(path),
      updatedAt: Number(updated),
    }));
    const here = liveSessions(places, this.#now());
    return rows.map((row, index) => {
      const node = textOf(row.node) ?? textOf(row.holder_name);
      return {
        ...sharedColumns(row),
        project: lineOf(row.project) ?? '',
        costUsd: Number(row.cost ?? 0),
        unpriced: Number(row.unpriced ?? 0),
        forkOf: textOf(row.fork_of) ?? textOf(row.past),
        isLive: isArchived(row.source) ? node !== undefined : here[index] === true,
        isPinned: row.is_pinned === true,
        isArchived: row.is_archived === true,
        ...(node !== undefined && { runs: { node, state: stateOf(row) } }),
        ...(isArchived(row.source) && { sharedId: String(row.path).slice(ARCHIVE_PATH.length) }),
      };
    });
  }

  /** The node that runs a session of the archive now. */
  #running(): string {
    const { session, agentSession } = this.#tables;
    return `SELECT o.sid AS live_sid, o.owner, o.is_open_turn, NULL::text AS holder_name FROM ${session} o
        WHERE s.source = '${ARCHIVE_SOURCE}' AND o.sid = s.sid
      UNION ALL SELECT NULL, NULL, NULL, g.holder_name FROM ${agentSession} g
        WHERE s.source = '${AGENTS_SOURCE}' AND g.sid = s.sid AND g.until > clock_timestamp()`;
  }

  async #find(conditions: Conditions): Promise<CatalogueSession[]> {
    const rest = `ORDER BY s.updated DESC, s.native_id DESC LIMIT ${MAX_CANDIDATES}`;
    return this.describe(await this.rows(conditions, rest));
  }

  async #splitAgent(reference: string): Promise<readonly [string, string | undefined]> {
    const colon = reference.indexOf(':');
    if (colon < 1) return [reference, undefined];
    const agent = reference.slice(0, colon);
    const [known] = await this.#link.query(
      `SELECT 1 AS found FROM ${this.#tables.catalogueSession} WHERE agent = $1 OR type = $1 LIMIT 1`,
      [agent],
    );
    return known ? [reference.slice(colon + 1), agent] : [reference, undefined];
  }
}

function isArchived(source: unknown): boolean {
  return source === ARCHIVE_SOURCE || source === AGENTS_SOURCE;
}

function stateOf({ is_asking, is_open_turn }: Row): 'working' | 'waiting' | 'idle' {
  if (is_asking === true) return 'waiting';
  return is_open_turn === true ? 'working' : 'idle';
}

function addCursor(conditions: Conditions, after: string): void {
  const place: unknown = parseCursor(after);
  if (!Array.isArray(place) || typeof place[0] !== 'number' || typeof place[1] !== 'string')
    throw new TypeError(`Not a place in a list of sessions: ${after}`);
  conditions.add('(s.updated, s.native_id) < (?::bigint, ?)', place[0], place[1]);
}

function parseCursor(after: string): unknown {
  try {
    return JSON.parse(after);
  } catch {
    // The caller reports the error.
    return undefined;
  }
}
