import { setTimeout as delay } from 'node:timers/promises';
import type {
  Catalogue,
  CatalogueSession,
  ListQuery,
  SessionLabels,
} from '@robota-sdk/agent-archive';
import type { HostedSession, LiveSession, SessionHost } from '@robota-sdk/agent-sdk';
import type { ListQueryRequest, SessionListPage, SessionRow } from '../protocol.ts';
import type { SessionGateway } from './session-gateway.ts';
import { hostedRow, liveRow, RECENTLY_MS, savedRow } from './session-rows.ts';
import { sessionNotFound, WireError } from './wire-error.ts';
import { WorkElsewhere } from './work-elsewhere.ts';

/** Every session of this machine or an archive, kept up to date by the program that starts the server. */
export interface ServedCatalogue {
  readonly catalogue: Catalogue;
  /** Names, pins and archive flags of sessions of every agent. */
  readonly labels: SessionLabels;
  /** Calls `listener` after every refresh that found changes, until the returned function is called. */
  onRefresh(listener: () => void): () => void;
  /** Resolves once everything written before the call is indexed; absent where nothing has to be indexed. */
  catchUp?: (() => Promise<void>) | undefined;
}

type RowListener = (row: SessionRow) => void;

const PAGE = 50;
/** Longest wait for the catalogue to catch up. */
const CATCH_UP_MS = 10_000;
/** Changed sessions reported per refresh; clients find more by listing. */
const MOST_CHANGED = 100;
const MOST_REPORTED = 10_000;
const MOST_PINNED = 100;
/** How far timestamps inside a transcript may lag behind the time it was written. */
const LATE_MS = 10 * 60_000;

/** All sessions: those open here first, then everything in the catalogue, each once. */
export class SessionDirectory {
  readonly #gateway: SessionGateway;
  readonly #served: ServedCatalogue | undefined;
  readonly #listeners = new Set<RowListener>();
  readonly #failed = new Set<string>();
  readonly #stops: (() => void)[] = [];
  /** Catalogue rows of sessions that are open here; cleared by every refresh. */
  readonly #known = new Map<string, CatalogueSession | undefined>();
  /** Last reported facts of catalogue sessions. */
  readonly #reported = new Map<string, string>();
  /** Deleted Robota sessions that the catalogue may still list. */
  readonly #deleted = new Set<string>();
  /** Our session ids by the agents' own ids. */
  #chosen: Promise<Map<string, string>> | undefined;
  #seenAt = Date.now();
  readonly #atWork = new WorkElsewhere({
    read: ({ id, agent }) => this.row(id, agent),
    onIdle: (row) => void this.#report(async () => row),
  });

  constructor(gateway: SessionGateway, served: ServedCatalogue | undefined) {
    this.#gateway = gateway;
    this.#served = served;
    const { host } = gateway;
    for (const session of gateway.live()) this.#listen(session);
    if (host) this.#watchHost(host);
    if (served) this.#stops.push(served.onRefresh(() => void this.#reportChanged()));
    this.#stops.push(() => this.#atWork.close());
  }

  get catalogue(): Catalogue {
    return this.#required().catalogue;
  }

  get labels(): ServedCatalogue['labels'] {
    return this.#required().labels;
  }

  async list(query: ListQueryRequest): Promise<SessionListPage> {
    const rows = await this.#liveRows(query);
    const totals = await this.#totals();
    if (query.state !== undefined) {
      const all = [...rows, ...(await this.#elsewhereRows(query))];
      const wanted = all.filter(({ state }) => query.state === 'live' || state === query.state);
      return { sessions: wanted, totals };
    }
    const saved = await this.#savedPage(query);
    const isFirst = query.cursor === undefined;
    const open = new Set(
      this.#gateway.live().flatMap(({ sessionId, nativeId }) => [sessionId, nativeId]),
    );
    const rest = saved.rows.filter(
      ({ id, native_id }) => !open.has(id) && !open.has(native_id ?? ''),
    );
    const pinned = isFirst ? await this.#pinnedRows(query, new Set([...open, ...idsOf(rest)])) : [];
    const sessions = [...(isFirst ? rows : []), ...pinned, ...rest].sort((one, other) =>
      other.updated_at.localeCompare(one.updated_at),
    );
    this.#atWork.track(sessions);
    return { sessions, ...(saved.next !== undefined && { next_cursor: saved.next }), totals };
  }

  /**
   * One session, by our id or the agent's own; rejects with `session_not_found`. An unknown one may just have been
   * written, so the catalogue catches up before the session counts as missing.
   */
  async row(id: string, agent?: string): Promise<SessionRow> {
    const known = await this.#knownRow(id, agent);
    if (known) return known;
    await this.#catchUp();
    const found = await this.#knownRow(id, agent);
    if (found) return found;
    throw sessionNotFound(id);
  }

  async #catchUp(): Promise<void> {
    const reading = this.#served?.catchUp?.();
    if (reading) await Promise.race([reading, delay(CATCH_UP_MS, undefined, { ref: false })]);
  }

  async #knownRow(id: string, agent?: string): Promise<SessionRow | undefined> {
    const live = this.liveSession(id);
    if (live && (agent === undefined || live.agent === agent)) return this.#liveRow(live);
    const hosted = await this.#hosted(id);
    const catalogued = await this.catalogued(hosted?.nativeId ?? id, agent ?? hosted?.agent);
    if (catalogued) return savedRow(catalogued, hosted);
    if (hosted && (agent === undefined || hosted.agent === agent)) return hostedRow(hosted);
    const listed = this.#served ? undefined : await this.#listed(id);
    return listed && hostedRow(listed);
  }

  /** Ends a session and deletes our saved data; refused when another program runs it. */
  async remove(id: string): Promise<void> {
    const row = await this.row(id);
    if (row.access !== 'drive') {
      throw new WireError('view_only', `This session belongs to ${row.agent}; delete it there.`);
    }
    await this.#gateway.remove(row.id);
    // Transcripts of other agents are kept.
    const isOurs = row.agent === 'robota' || row.agent.startsWith('acp:');
    if (isOurs) for (const gone of [row.id, row.native_id]) this.#deleted.add(gone ?? '');
  }

  /** The session open here under our id or the agent's own. */
  liveSession(id: string): LiveSession | undefined {
    return this.#gateway
      .live()
      .find(({ sessionId, nativeId }) => sessionId === id || nativeId === id);
  }

  async catalogued(id: string, agent: string | undefined): Promise<CatalogueSession | undefined> {
    if (this.#deleted.has(id)) return undefined;
    const found = await this.#served?.catalogue.resolve(id, { agent });
    if (found?.kind === 'found') {
      const { session } = found;
      return session.id === id || session.sharedId === id ? session : undefined;
    }
    const exact = found?.kind === 'ambiguous' && found.candidates.some((one) => one.id === id);
    if (!exact) return undefined;
    throw new WireError(
      'session_ambiguous',
      `Several agents have a session ${id}; say which with "agent".`,
    );
  }

  /** Calls `listener` with every row that changes, until the returned function is called. */
  watch(listener: RowListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reports a session whose name, pin or archive flag changed. */
  async changed({ id, agent }: SessionRow): Promise<void> {
    this.#known.delete(id);
    await this.#report(() => this.#knownRow(id, agent));
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#listeners.clear();
  }

  #required(): ServedCatalogue {
    if (this.#served) return this.#served;
    throw new WireError('not_supported', 'This server has no catalogue of sessions.');
  }

  #watchHost(host: SessionHost): void {
    this.#stops.push(
      host.onOpen((session) => {
        this.#deleted.delete(session.sessionId);
        this.#listen(session);
        void this.#reportLive(session);
      }),
      host.onClose((session) => {
        this.#failed.delete(session.sessionId);
        this.#known.delete(session.sessionId);
        void this.#report(() => this.#knownRow(session.sessionId));
      }),
    );
  }

  #listen(session: LiveSession): void {
    const report = () => void this.#reportLive(session);
    for (const name of ['turn_start', 'question', 'question_resolved', 'state'] as const) {
      session.on(name, report);
    }
    session.on('turn_end', ({ status }) => {
      if (status === 'failed') this.#failed.add(session.sessionId);
      else this.#failed.delete(session.sessionId);
      const { nativeId, sessionId } = session;
      if (nativeId !== undefined) void this.#chosen?.then((ids) => ids.set(nativeId, sessionId));
      report();
    });
  }

  async #reportLive(session: LiveSession): Promise<void> {
    await this.#report(() => this.#liveRow(session));
  }

  async #report(read: () => Promise<SessionRow | undefined>): Promise<void> {
    if (this.#listeners.size === 0) return;
    // A deleted session has no row to report.
    const row = await read().catch(() => undefined);
    if (!row) return;
    this.#atWork.track([row]);
    for (const listener of [...this.#listeners]) listener(row);
  }

  async #reportChanged(): Promise<void> {
    this.#known.clear();
    const since = this.#seenAt - LATE_MS;
    this.#seenAt = Date.now();
    if (this.#listeners.size === 0) return;
    const { sessions } = await this.catalogue.list({ since, limit: MOST_CHANGED });
    const changed = sessions.filter((session) => this.#isNew(session));
    for (const { id, agent } of changed) await this.#report(() => this.#knownRow(id, agent));
  }

  #isNew(session: CatalogueSession): boolean {
    const { agent, id, updatedAt, messages, title, isPinned, isArchived, runs } = session;
    const facts = JSON.stringify([updatedAt, messages, title, isPinned, isArchived, runs]);
    const key = `${agent} ${id}`;
    if (this.#reported.get(key) === facts) return false;
    if (this.#reported.size >= MOST_REPORTED) this.#reported.clear();
    this.#reported.set(key, facts);
    return true;
  }

  async #liveRows(query: ListQueryRequest): Promise<SessionRow[]> {
    const rows = await Promise.all(this.#gateway.live().map((session) => this.#liveRow(session)));
    return rows.filter((row) => matches(row, query));
  }

  async #liveRow(session: LiveSession): Promise<SessionRow> {
    const { sessionId } = session;
    const hosted = await this.#gateway.host?.describe(sessionId);
    const catalogued = await this.#cataloguedLive(session);
    return liveRow({ session, hosted, catalogued, hasFailed: this.#failed.has(sessionId) });
  }

  async #cataloguedLive(session: LiveSession): Promise<CatalogueSession | undefined> {
    const { sessionId, nativeId, agent } = session;
    if (this.#known.has(sessionId)) return this.#known.get(sessionId);
    const found = await this.catalogued(nativeId ?? sessionId, agent).catch(() => undefined);
    this.#known.set(sessionId, found);
    return found;
  }

  async #savedPage(
    query: ListQueryRequest,
  ): Promise<{ rows: readonly SessionRow[]; next: string | undefined }> {
    if (!this.#served) {
      const open = new Set(this.#gateway.live().map(({ sessionId }) => sessionId));
      const listed = (await this.#gateway.list()).filter(({ id }) => !open.has(id));
      return { rows: listed.map(hostedRow).filter((row) => matches(row, query)), next: undefined };
    }
    const { catalogue } = this.#served;
    const { sessions, next } = await catalogue.list(catalogueQuery(query)).catch(badCursor);
    const kept = sessions.filter(({ id }) => !this.#deleted.has(id));
    const rows = await Promise.all(
      kept.map(async (session) => savedRow(session, await this.#hosted(session.id))),
    );
    return { rows, next };
  }

  /** Pinned sessions are on the first page however old they are; later pages may repeat them. */
  async #pinnedRows(query: ListQueryRequest, known: ReadonlySet<string | undefined>) {
    if (!this.#served) return [];
    const wanted = { ...catalogueQuery(query), pinned: 'only', limit: MOST_PINNED } as const;
    const { sessions } = await this.#served.catalogue.list(wanted);
    const unknown = sessions.filter(({ id }) => !known.has(id));
    return Promise.all(
      unknown.map(async (session) => savedRow(session, await this.#hosted(session.id))),
    );
  }

  /** A session the host knows, by our id or the agent's own. */
  async #hosted(id: string): Promise<HostedSession | undefined> {
    const { host } = this.#gateway;
    if (!host) return undefined;
    this.#chosen ??= chosenIds(host);
    const chosen = (await this.#chosen).get(id) ?? id;
    return host.describe(chosen);
  }

  /** Without a catalogue, saved sessions are found in the host's list. */
  async #listed(id: string): Promise<HostedSession | undefined> {
    return (await this.#gateway.list()).find((session) => session.id === id);
  }

  /** Sessions that other programs are writing now, and those that other nodes run. */
  async #elsewhere(): Promise<readonly CatalogueSession[]> {
    const since = Date.now() - RECENTLY_MS;
    const recent = await this.#served?.catalogue.list({ since, limit: MOST_CHANGED });
    const others =
      recent?.sessions.filter(
        ({ agent, isLive, runs }) => isLive && (agent !== 'robota' || runs),
      ) ?? [];
    return others.filter(
      ({ id, sharedId = id }) =>
        this.liveSession(id) === undefined && this.liveSession(sharedId) === undefined,
    );
  }

  /** Live sessions of other nodes. */
  async #elsewhereRows(query: ListQueryRequest): Promise<readonly SessionRow[]> {
    const others = (await this.#elsewhere()).filter(({ runs }) => runs !== undefined);
    const rows = await Promise.all(
      others.map(async (session) => savedRow(session, await this.#hosted(session.id))),
    );
    return rows.filter((row) => matches(row, query));
  }

  async #totals(): Promise<SessionListPage['totals']> {
    const live = this.#gateway.live();
    const known = await this.#served?.catalogue.state();
    const others = await this.#elsewhere();
    const run = others.flatMap(({ runs }) => runs ?? []);
    const isWorking = ({ runs }: CatalogueSession) =>
      runs === undefined || runs.state === 'working';
    const asking = live.filter((session) => session.getQuestions().length > 0).length;
    const waiting = asking + run.filter(({ state }) => state === 'waiting').length;
    const working =
      live.filter((session) => session.isExecuting()).length + others.filter(isWorking).length;
    const all = known?.sessions ?? (await this.#gateway.list()).length;
    const alive = live.length + run.length;
    return { all: Math.max(all, alive), live: alive, working, waiting };
  }
}

function idsOf(rows: readonly SessionRow[]): (string | undefined)[] {
  return rows.flatMap(({ id, native_id }) => [id, native_id]);
}

async function chosenIds(host: SessionHost): Promise<Map<string, string>> {
  const listed = await host.list();
  return new Map(listed.flatMap(({ id, nativeId }) => (nativeId ? [[nativeId, id] as const] : [])));
}

/** The catalogue throws a TypeError only for a bad cursor. */
function badCursor(error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  throw new WireError('invalid_request', `cursor: ${error.message}`, { cause: error });
}

function catalogueQuery(query: ListQueryRequest): ListQuery {
  const { agent, project, here, name, text, since, archived, limit = PAGE, cursor } = query;
  const from = since === undefined ? undefined : Date.parse(since);
  return { agent, project, here, name, text, since: from, archived, limit, after: cursor };
}

/** Filters sessions that are open here; the catalogue filters its own. */
function matches(row: SessionRow, query: ListQueryRequest): boolean {
  const { agent, project, here, name, text, since, archived = 'without' } = query;
  if (archived !== 'with' && (row.is_archived === true) !== (archived === 'only')) return false;
  if (agent !== undefined && row.agent !== agent) return false;
  if (here !== undefined && row.cwd !== here) return false;
  if (text !== undefined) return false;
  if (since !== undefined && row.updated_at < new Date(since).toISOString()) return false;
  return contains(`${row.project} ${row.cwd ?? ''}`, project) && contains(row.title, name);
}

function contains(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}
