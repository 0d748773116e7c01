import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type {
  Catalogue,
  CatalogueState,
  DeletionNotice,
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
} from '../catalogue.ts';
import { LabelFile } from '../labels.ts';
import { DeletionLedger } from '../ledger.ts';
import { ProjectLedger } from '../project-ledger.ts';
import { CatalogueFile, withExclusiveLock } from './connection.ts';
import type { CatalogueDatabase } from './database.ts';
import { listSessions } from './list.ts';
import type { CatalogueParity } from './parity.ts';
import { resolveSessionName } from './resolve.ts';
import { searchPlaces } from './search.ts';
import { LabelTable } from './session-query.ts';
import { sumUsageRows } from './usage.ts';

/** Locations that a SQLite catalogue reads and writes. */
export interface SqliteCatalogueOptions {
  /** Folder of our own files; `ROBOTA_HOME`, or `.robota` in the home, by default. */
  readonly robotaHome?: string | undefined;
  /** Folder of the catalogue, labels and ledger; `robotaHome` by default. */
  readonly directory?: string | undefined;
  /** Where agents store their sessions; the user's home by default. */
  readonly home?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly now?: (() => number) | undefined;
}

/**
 * The catalogue in one SQLite file in our home. It may be deleted at any time; labels, costs of deleted sessions and the
 * projects of directories are stored beside it in separate files.
 */
export class SqliteCatalogue implements Catalogue {
  readonly labels: LabelFile;
  readonly ledger: DeletionLedger;
  readonly #directories: ProjectLedger;
  readonly #file: CatalogueFile;
  readonly #lockPath: string;
  readonly #labelTable: LabelTable;
  readonly #place: {
    readonly home: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
  };
  readonly #now: () => number;
  #refreshing: Promise<RefreshReport> | undefined;

  constructor(options: SqliteCatalogueOptions = {}) {
    const { home = homedir(), environment = process.env, now = Date.now } = options;
    const own = options.robotaHome ?? (environment.ROBOTA_HOME || join(home, '.robota'));
    const { directory = own } = options;
    this.labels = new LabelFile(join(directory, 'labels.json'));
    this.ledger = new DeletionLedger(join(directory, 'usage-ledger.jsonl'));
    this.#directories = new ProjectLedger(join(directory, 'projects.jsonl'));
    this.#file = new CatalogueFile(join(directory, 'catalogue.sqlite'));
    this.#lockPath = join(directory, 'catalogue.lock');
    this.#labelTable = new LabelTable(this.labels);
    this.#place = { home, environment: { ...environment, ROBOTA_HOME: own } };
    this.#now = now;
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

  async list(query: ListQuery = {}): Promise<SessionPage> {
    return this.#read((database) => listSessions(database, query, this.#now()));
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    const { page, terms, places } = this.#read((database) =>
      searchPlaces(database, query, this.#now()),
    );
    if (query.snippets === 'without' || page.sessions.length === 0) return page;
    const { readSnippets } = await import('../snippets.ts');
    const sessions = await Promise.all(
      page.sessions.map(async ({ session, hits }, index) => {
        const place = places[index];
        if (place === undefined) return { session, hits };
        const snippets = await readSnippets({ ...place, parts: JSON.parse(place.parts) }, terms);
        return { session, hits: hits.map((hit, at) => ({ ...hit, snippet: snippets[at] ?? '' })) };
      }),
    );
    return { ...page, sessions };
  }

  async usage(query: UsageQuery = {}): Promise<UsageReport> {
    return this.#read((database) => sumUsageRows(database, query));
  }

  async resolve(reference: string, scope: SessionScope = {}): Promise<Resolution> {
    const now = this.#now();
    return this.#read((database) => resolveSessionName(database, reference, { scope, now }));
  }

  async state(): Promise<CatalogueState> {
    return this.#read((database) => {
      const refreshed = database.row("select value from meta where key = 'refreshedAt'")?.value;
      const counted = database.row(
        'select count(*) as n from session where hidden = 0 and twin = 0',
      );
      return {
        sessions: Number(counted?.n ?? 0),
        isComplete: refreshed !== undefined,
        refreshedAt: refreshed === undefined ? undefined : Number(refreshed),
      };
    });
  }

  /**
   * Whether a session was added, removed or written to since the last refresh, judged by folders and recent files only.
   * A session resumed after weeks is found by a refresh only.
   */
  async isStale(): Promise<boolean> {
    const since = this.#now() - RECENT_MS;
    return this.#read((database) => {
      const folders = database.rows('select path, mtime from watched');
      if (folders.length === 0) return true;
      const isChanged = ({ path, mtime }: (typeof folders)[number]) =>
        (statIfExists(String(path))?.mtimeMs ?? 0) !== mtime;
      if (folders.some(isChanged)) return true;
      const refreshedAt = Number(
        database.row("select value from meta where key = 'refreshedAt'")?.value,
      );
      // Selected as one text, because a row per path takes longer than the file checks.
      const recent = database.row(
        'select json_group_array(path) as paths from session where updated > ? and gone is null',
        since,
      );
      const paths = JSON.parse(String(recent?.paths)) as readonly string[];
      return paths.some((path) => (statIfExists(path)?.mtimeMs ?? 0) > refreshedAt);
    });
  }

  /** Sessions whose transcripts were deleted, latest first. */
  async deletions(): Promise<readonly DeletionNotice[]> {
    const { listDeletions } = await import('./deletions.ts');
    return this.#read(listDeletions);
  }

  /** Reads every transcript again and reports where the catalogue differs. */
  async compare(): Promise<CatalogueParity> {
    const [{ compareWithTranscripts }, { shortVersion }] = await Promise.all([
      import('./parity.ts'),
      import('./refresh.ts'),
    ]);
    return compareWithTranscripts(
      this.#file.use((database) => database),
      { place: this.#place, versionOf: ({ version }) => shortVersion(version) },
    );
  }

  /** Deletes the catalogue and reads everything again; labels and ledgers stay. */
  async rebuild(options: RefreshOptions = {}): Promise<RefreshReport> {
    this.#file.replace();
    return this.refresh(options);
  }

  /** The tables as they are, for checks and tests. */
  async inspect<Result>(work: (database: CatalogueDatabase) => Result): Promise<Result> {
    return this.#read(work);
  }

  async close(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    this.#file.close();
  }

  async #refresh(options: RefreshOptions): Promise<RefreshReport> {
    const { refreshTables } = await import('./refresh.ts');
    const context = {
      ...options,
      place: this.#place,
      ledger: this.ledger,
      directories: this.#directories,
      now: this.#now,
    };
    const work = async () => {
      try {
        return await refreshTables(
          this.#file.use((database) => database),
          context,
        );
      } catch (error) {
        if (!this.#file.replaceDamaged(error)) throw error;
        return refreshTables(
          this.#file.use((database) => database),
          context,
        );
      }
    };
    return (await withExclusiveLock(this.#lockPath, work)) ?? BUSY;
  }

  #read<Result>(work: (database: CatalogueDatabase) => Result): Result {
    return this.#file.use((database) => {
      this.#labelTable.load(database);
      return work(database);
    });
  }
}

const RECENT_MS = 14 * 86_400_000;

const BUSY: RefreshReport = { status: 'busy', read: 0, removed: 0, sessions: 0, failures: [] };

function statIfExists(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A path into a database has no file of its own.
    return undefined;
  }
}
