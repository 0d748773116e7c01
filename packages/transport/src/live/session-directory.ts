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

/** Every session of this machine or of an archive, kept up to date by whoever started the server. */
export interface ServedCatalogue {
  readonly catalogue: Catalogue;
  /** Where names, pins and archive flags of sessions of every agent are kept. */
  readonly labels: SessionLabels;
  /** Calls `listener` whenever a refresh has seen something new, until the returned function is called. */
  onRefresh(listener: () => void): () => void;
  /** Resolves once what was written before the call has been read; left out where nothing has to be read. */
  catchUp?: (() => Promise<void>) | undefined;
}

type RowListener = (row: SessionRow) => void;

const PAGE = 50;
/** Milliseconds that somebody waits at most for a catalogue that reads. */
const CATCH_UP_MS = 10_000;
/** Sessions that changed between two looks; more are found by whoever lists. */
const MOST_CHANGED = 100;
const MOST_TOLD = 10_000;
const MOST_PINNED = 100;
/** How far the times inside a transcript may lie behind when it was written. */
const LATE_MS = 10 * 60_000;

/** Which sessions there are: those open here first, then every one that the catalogue knows, each once. */
export class SessionDirectory {
  readonly #gateway: SessionGateway;
  readonly #served: ServedCatalogue | undefined;
  readonly #listeners = new Set<RowListener>();
  readonly #failed = new Set<string>();
  readonly #stops: (() => void)[] = [];
  /** What the catalogue says of sessions that are open here; forgotten when it has seen something new. */
  readonly #known = new Map<string, CatalogueSession | undefined>();
  /** What was told last of sessions that others write. */
  readonly #told = new Map<string, string>();
  /** Sessions of our own that were deleted; the catalogue knows it a little later. */
  readonly #deleted = new Set<string>();
  /** Ids that we chose by ids that agents chose. */
  #chosen: Promise<Map<string, string>> | undefined;
  #seenAt = Date.now();
  readonly #atWork = new WorkElsewhere({
    read: ({ id, agent }) => this.row(id, agent),
    onRest: (row) => void this.#tell(async () => row),
  });

  constructor(gateway: SessionGateway, served: ServedCatalogue | undefined) {
    this.#gateway = gateway;
    this.#served = served;
    const { host } = gateway;
    for (const session of gateway.live()) this.#listen(session);
    if (host) this.#watchHost(host);
    if (served) this.#stops.push(served.onRefresh(() => void this.#tellChanged()));
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
    this.#atWork.see(sessions);
    return { sessions, ...(saved.next !== undefined && { next_cursor: saved.next }), totals };
  }

  /**
   * One session, by our id or the agent's own; rejects with `session_not_found`. One that is not known may have been
   * written a moment ago: the catalogue is brought up to date before anybody hears that there is none.
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

  /** Ends a session and erases what we have saved of it; refused where another program runs it. */
  async remove(id: string): Promise<void> {
    const row = await this.row(id);
    if (row.access !== 'drive') {
      throw new WireError('view_only', `This session belongs to ${row.agent}; delete it there.`);
    }
    await this.#gateway.remove(row.id);
    // Other agents have transcripts of their own, which stay.
    const isWhollyOurs = row.agent === 'robota' || row.agent.startsWith('acp:');
    if (isWhollyOurs) for (const gone of [row.id, row.native_id]) this.#deleted.add(gone ?? '');
  }

  /** The session that is open here under this id, ours or the agent's own. */
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

  /** Somebody has named, pinned or put away a session: every list hears it. */
  async changed({ id, agent }: SessionRow): Promise<void> {
    this.#known.delete(id);
    await this.#tell(() => this.#knownRow(id, agent));
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
        void this.#tellLive(session);
      }),
      host.onClose((session) => {
        this.#failed.delete(session.sessionId);
        this.#known.delete(session.sessionId);
        void this.#tell(() => this.#knownRow(session.sessionId));
      }),
    );
  }

  #listen(session: LiveSession): void {
    const tell = () => void this.#tellLive(session);
    for (const name of ['turn_start', 'question', 'question_resolved', 'state'] as const) {
      session.on(name, tell);
    }
    session.on('turn_end', ({ status }) => {
      if (status === 'failed') this.#failed.add(session.sessionId);
      else this.#failed.delete(session.sessionId);
      const { nativeId, sessionId } = session;
      if (nativeId !== undefined) void this.#chosen?.then((ids) => ids.set(nativeId, sessionId));
      tell();
    });
  }

  async #tellLive(session: LiveSession): Promise<void> {
    await this.#tell(() => this.#liveRow(session));
  }

  async #tell(read: () => Promise<SessionRow | undefined>): Promise<void> {
    if (this.#listeners.size === 0) return;
    // A session that is gone for good has no row any more; lists say so.
    const row = await read().catch(() => undefined);
    if (!row) return;
    this.#atWork.see([row]);
    for (const listener of [...this.#listeners]) listener(row);
  }

  async #tellChanged(): Promise<void> {
    this.#known.clear();
    const since = this.#seenAt - LATE_MS;
    this.#seenAt = Date.now();
    if (this.#listeners.size === 0) return;
    const { sessions } = await this.catalogue.list({ since, limit: MOST_CHANGED });
    const changed = sessions.filter((session) => this.#isNew(session));
    for (const { id, agent } of changed) await this.#tell(() => this.#knownRow(id, agent));
  }

  #isNew(session: CatalogueSession): boolean {
    const { agent, id, updatedAt, messages, title, isPinned, isArchived, runs } = session;
    const facts = JSON.stringify([updatedAt, messages, title, isPinned, isArchived, runs]);
    const key = `${agent} ${id}`;
    if (this.#told.get(key) === facts) return false;
    if (this.#told.size >= MOST_TOLD) this.#told.clear();
    this.#told.set(key, facts);
    return true;
  }

  async #liveRows(query: ListQueryRequest): Promise<SessionRow[]> {
    const rows = await Promise.all(this.#gateway.live().map((session) => this.#liveRow(session)));
    return rows.filter((row) => fits(row, query));
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
      return { rows: listed.map(hostedRow).filter((row) => fits(row, query)), next: undefined };
    }
    const { catalogue } = this.#served;
    const { sessions, next } = await catalogue.list(catalogueQuery(query)).catch(badCursor);
    const kept = sessions.filter(({ id }) => !this.#deleted.has(id));
    const rows = await Promise.all(
      kept.map(async (session) => savedRow(session, await this.#hosted(session.id))),
    );
    return { rows, next };
  }

  /** Pinned sessions stand on the first page however old they are; later pages may repeat them. */
  async #pinnedRows(query: ListQueryRequest, known: ReadonlySet<string | undefined>) {
    if (!this.#served) return [];
    const wanted = { ...catalogueQuery(query), pinned: 'only', limit: MOST_PINNED } as const;
    const { sessions } = await this.#served.catalogue.list(wanted);
    const unknown = sessions.filter(({ id }) => !known.has(id));
    return Promise.all(
      unknown.map(async (session) => savedRow(session, await this.#hosted(session.id))),
    );
  }

  /** A session that we have held before, by our id or the agent's own. */
  async #hosted(id: string): Promise<HostedSession | undefined> {
    const { host } = this.#gateway;
    if (!host) return undefined;
    this.#chosen ??= chosenIds(host);
    const chosen = (await this.#chosen).get(id) ?? id;
    return host.describe(chosen);
  }

  /** Without a catalogue a saved session is found by looking through the list. */
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

  /** Of a list of what lives: what other nodes run. */
  async #elsewhereRows(query: ListQueryRequest): Promise<readonly SessionRow[]> {
    const others = (await this.#elsewhere()).filter(({ runs }) => runs !== undefined);
    const rows = await Promise.all(
      others.map(async (session) => savedRow(session, await this.#hosted(session.id))),
    );
    return rows.filter((row) => fits(row, query));
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

/** A catalogue takes nothing else amiss. */
function badCursor(error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  throw new WireError('invalid_request', `cursor: ${error.message}`, { cause: error });
}

function catalogueQuery(query: ListQueryRequest): ListQuery {
  const { agent, project, here, name, text, since, archived, limit = PAGE, cursor } = query;
  const from = since === undefined ? undefined : Date.parse(since);
  return { agent, project, here, name, text, since: from, archived, limit, after: cursor };
}

/** Of sessions that are open here; those that the catalogue lists fit already. */
function fits(row: SessionRow, query: ListQueryRequest): boolean {
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
