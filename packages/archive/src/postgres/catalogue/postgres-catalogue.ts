import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { loadRequestPricer, type RequestPricer } from '@robota-sdk/agent-core';
import type {
  Catalogue,
  CatalogueState,
  ListQuery,
  RefreshOptions,
  RefreshReport,
  Resolution,
  SearchPage,
  SearchQuery,
  SessionPage,
  SessionScope,
  UsageQuery,
  UsageReport,
} from '../../catalogue.ts';
import { toLedgerRequest } from '../../reading/priced-request.ts';
import { ResponseLostError } from '../link.ts';
import type { PostgresArchive } from '../postgres-archive.ts';
import { ArchiveSource } from './archive-source.ts';
import { CatalogueWriter } from './catalogue-writer.ts';
import { MachineSource } from './machine-source.ts';
import { PostgresLabels } from './postgres-labels.ts';
import { BlockSearch } from './search.ts';
import { SessionQueries } from './session-query.ts';
import type { CatalogueSource, ChangedSession, SourceChanges } from './sources.ts';
import { sumStoredUsage } from './usage-rows.ts';

/** Archive of a PostgreSQL catalogue, and the sessions it covers. */
export interface PostgresCatalogueOptions {
  readonly archive: PostgresArchive;
  /** The reading node's name; it writes the sessions that it runs into the catalogue. */
  readonly node?: string | undefined;
  /** Reads a machine's sessions instead of the archive's, from where agents store them. */
  readonly machine?:
    | {
        readonly home: string;
        readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
        /** The machine's name; by default its host name and the home. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly now?: (() => number) | undefined;
}

const BUSY: RefreshReport = { status: 'busy', read: 0, removed: 0, sessions: 0, failures: [] };
/** A reader that does not renew its turn for this long is considered dead. */
const TURN_SECONDS = 30;

/** The catalogue of an archive, in its database, so that every node gives the same results. */
export class PostgresCatalogue implements Catalogue {
  readonly labels: PostgresLabels;
  readonly #archive: PostgresArchive;
  readonly #source: CatalogueSource & { isStale?(): boolean; close?(): void };
  readonly #queries: SessionQueries;
  readonly #search: BlockSearch;
  readonly #writer: CatalogueWriter;
  readonly #now: () => number;
  readonly #id = randomUUID();
  #refreshing: Promise<RefreshReport> | undefined;

  constructor({ archive, node, machine, now = Date.now }: PostgresCatalogueOptions) {
    const { catalogueLink: link, tables } = archive;
    this.#archive = archive;
    this.#now = now;
    this.labels = new PostgresLabels(link, tables);
    this.#queries = new SessionQueries(link, tables, now);
    this.#search = new BlockSearch(link, tables, this.#queries);
    this.#writer = new CatalogueWriter(link, tables);
    if (machine) {
      const { home, environment = process.env } = machine;
      const name = machine.name ?? `${hostname()}:${home}`;
      this.#source = new MachineSource({ home, environment, name }, link, tables);
    } else this.#source = new ArchiveSource(archive, node ?? hostname());
  }

  async refresh(options: RefreshOptions = {}): Promise<RefreshReport> {
    if (this.#refreshing !== undefined) return BUSY;
    this.#refreshing = this.#refresh(options);
    try {
      return await this.#refreshing;
    } finally {
      this.#refreshing = undefined;
    }
  }

  list(query: ListQuery = {}): Promise<SessionPage> {
    return this.#queries.list(query);
  }

  search(query: SearchQuery): Promise<SearchPage> {
    return this.#search.search(query);
  }

  usage(query: UsageQuery = {}): Promise<UsageReport> {
    return sumStoredUsage(this.#archive.catalogueLink, this.#archive.tables, query);
  }

  resolve(reference: string, scope: SessionScope = {}): Promise<Resolution> {
    return this.#queries.resolve(reference, scope);
  }

  async state(): Promise<CatalogueState> {
    const { catalogueLink, tables } = this.#archive;
    const [row] = await catalogueLink.query(
      `SELECT (SELECT count(*) FROM ${tables.catalogueSession} WHERE NOT is_hidden AND NOT is_twin) AS sessions,
         (SELECT max(refreshed_at) FROM ${tables.catalogueTurn} WHERE split_part(name, ':', 1) = $1) AS refreshed_at`,
      [this.#source.turn.split(':', 1)[0] ?? ''],
    );
    const refreshedAt = row?.refreshed_at === null ? undefined : Number(row?.refreshed_at);
    return {
      sessions: Number(row?.sessions),
      isComplete: refreshedAt !== undefined,
      refreshedAt,
    };
  }

  /** Whether this node has something to read. */
  isStale(): Promise<boolean> {
    return Promise.resolve(this.#source.isStale?.() ?? true);
  }

  /** Calls `listener` when a node has read something new or runs another session, until the returned function is called. */
  onChange(listener: () => void): () => void {
    return this.#archive.wakes.on(({ kind }) => {
      if (kind === 'catalogue' || kind === 'claim') listener();
    });
  }

  async close(): Promise<void> {
    this.#source.close?.();
    await this.#refreshing?.catch(() => undefined);
  }

  async #refresh(options: RefreshOptions): Promise<RefreshReport> {
    if (!(await this.#takeTurn())) return BUSY;
    try {
      const changes = await this.#source.look();
      const { done, failures } = await this.#readAll(changes.changed, options);
      const isWhole = done === changes.changed.length;
      const removed = isWhole ? await this.#removeAll(changes) : 0;
      if (done + removed > 0) this.#archive.wakes.notify('catalogue', 0);
      await this.#endTurn(isWhole);
      const { sessions } = await this.state();
      const status = isWhole ? 'complete' : 'interrupted';
      return { status, read: done, removed, sessions, failures };
    } catch (error) {
      // Others need not wait until the turn expires.
      await this.#endTurn(false).catch(() => undefined);
      throw error;
    }
  }

  async #readAll(
    changed: readonly ChangedSession[],
    { signal, onProgress }: RefreshOptions,
  ): Promise<{ readonly done: number; readonly failures: RefreshReport['failures'] }> {
    const failures: RefreshReport['failures'][number][] = [];
    const pricer = changed.length > 0 ? await loadRequestPricer() : undefined;
    let done = 0;
    for (const one of changed) {
      if (signal?.aborted) break;
      const failure = pricer && (await this.#read(one, pricer));
      if (failure !== undefined) failures.push({ path: one.session.path, reason: failure });
      done += 1;
      onProgress?.({ done, total: changed.length });
      await this.#takeTurn();
    }
    return { done, failures };
  }

  /** Returns how many were removed. */
  async #removeAll({ gone, moved, taken }: SourceChanges): Promise<number> {
    for (const id of gone) await this.#writer.markGone(id, this.#now());
    for (const id of taken) await this.#writer.remove(id);
    let removed = gone.length;
    // In sequence, because of copies removed together the last one keeps what only they had.
    for (const id of moved) if (await this.#writer.retire(id, this.#now())) removed += 1;
    return removed;
  }

  /** The reason if a session cannot be read; it is retried next time and does not block the others. */
  async #read(
    { session, read }: ChangedSession,
    pricer: RequestPricer,
  ): Promise<string | undefined> {
    let reading: Awaited<ReturnType<ChangedSession['read']>>;
    try {
      reading = await read();
    } catch (error) {
      // Without the database nothing can be read, so that is not the session's fault.
      if (error instanceof ResponseLostError) throw error;
      return error instanceof Error ? error.message : String(error);
    }
    const requests = reading.requests.map((each) => toLedgerRequest(session.type, each, pricer));
    await this.#writer.write({ session, reading, requests });
    return undefined;
  }

  async #takeTurn(): Promise<boolean> {
    const { catalogueLink, tables } = this.#archive;
    const rows = await catalogueLink.query(
      `INSERT INTO ${tables.catalogueTurn} AS t (name, holder, until)
       VALUES ($1, $2::uuid, clock_timestamp() + interval '${TURN_SECONDS} s')
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
       WHERE t.holder IS NULL OR t.holder = excluded.holder OR t.until < clock_timestamp() RETURNING 1 AS taken`,
      [this.#source.turn, this.#id],
    );
    return rows.length === 1;
  }

  async #endTurn(isWhole: boolean): Promise<void> {
    const { catalogueLink, tables } = this.#archive;
    await catalogueLink.query(
      `UPDATE ${tables.catalogueTurn} SET holder = NULL, refreshed_at = coalesce($3::bigint, refreshed_at)
       WHERE name = $1 AND holder = $2::uuid`,
      [this.#source.turn, this.#id, isWhole ? Math.round(this.#now()) : null],
    );
  }
}
