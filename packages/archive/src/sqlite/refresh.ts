import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadRequestPricer } from '@robota-sdk/agent-core';
import type { OriginMemory, TranscriptFamily } from '@robota-sdk/agent-transcript/architectures';
import type { RefreshOptions, RefreshReport } from '../catalogue.ts';
import type { DeletedSession, DeletionLedger } from '../ledger.ts';
import type { ProjectLedger } from '../project-ledger.ts';
import { toLedgerRequest } from '../reading/priced-request.ts';
import { readSession } from '../reading/session-reading.ts';
import type { CatalogueDatabase } from './database.ts';
import { deletedSession, restoreDeleted } from './deletions.ts';
import { holdsMore } from './request-rows.ts';
import { SessionRows } from './session-rows.ts';

export interface CataloguePlace {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface RefreshContext extends RefreshOptions {
  readonly place: CataloguePlace;
  readonly ledger: DeletionLedger;
  readonly directories: ProjectLedger;
  now(): number;
}

/** Limits of one transaction: how much a kill can lose, and how long other processes wait. */
const BATCH_CHARACTERS = 24_000_000;
const BATCH_SESSIONS = 500;
/** Milliseconds after which a refresh yields to other work of this process, such as a server's requests. */
const YIELD_MS = 20;

/** Reads new and changed sessions, oldest first, in transactions that each leave a consistent catalogue. */
export async function refreshTables(
  database: CatalogueDatabase,
  context: RefreshContext,
): Promise<RefreshReport> {
  // Parsers are loaded for a refresh only, never for queries.
  const { takeInventory } = await import('@robota-sdk/agent-transcript/architectures');
  const memory = new StoredOrigins(database);
  const inventory = await takeInventory({ ...context.place, memory });
  const { families, watched, failures = [] } = inventory;
  const known = knownVersions(database);
  const changed = families
    .map((family) => ({ family, version: shortVersion(family.version) }))
    .filter(({ family, version }) => known.get(placeOf(family)) !== version)
    .sort((one, other) => one.family.updatedAt - other.family.updatedAt);
  const isMuch = changed.length > MANY_SESSIONS;
  setMerging(database, isMuch ? 'later' : 'as it goes');
  const reading = new SessionBatches(database, context);
  const status = await reading.readAll(changed);
  for (const family of families) known.delete(placeOf(family));
  const unlisted = new Set<string>(failures.map(({ type }) => type));
  const missing = [...known.keys()].filter((place) => !unlisted.has(place.split('\n', 1)[0] ?? ''));
  const removed = inTransaction(database, () => {
    memory.save();
    if (status === 'interrupted') return 0;
    const count = updateDeleted(database, { missing, families }, context);
    saveWatched(database, watched);
    setMeta(database, 'refreshedAt', String(context.now()));
    return count;
  });
  if (isMuch) database.exec('pragma incremental_vacuum; pragma wal_checkpoint(truncate)');
  const sessions = Number(
    database.row('select count(*) as n from session where hidden = 0 and twin = 0')?.n,
  );
  const unread = failures.map(({ path, reason }) => ({ path, reason }));
  const all = [...unusableLedgers(context), ...unread, ...reading.failures];
  return { status, read: reading.done, removed, sessions, failures: all };
}

/** From this many sessions on, index segments are written large and merged later. */
const MANY_SESSIONS = 200;

/**
 * Small refreshes merge index segments as they write, including, bit by bit, those that a large one has left: some tens
 * of large segments, in which a search takes hardly longer than in one.
 */
function setMerging(database: CatalogueDatabase, when: 'later' | 'as it goes'): void {
  if (metaOf(database, 'merging') === when) return;
  const { automerge, crisismerge } = MERGING[when];
  // Not bound as values: Node's driver binds every number as a real, and FTS5 takes integers only.
  database.exec(`insert into words(words, rank) values('automerge', ${automerge});
    insert into words(words, rank) values('crisismerge', ${crisismerge})`);
  setMeta(database, 'merging', when);
}

/** Segments of one size that trigger a merge, a few pages at a time or all at once; 0 means never. */
const MERGING = {
  later: { automerge: 0, crisismerge: 1000 },
  'as it goes': { automerge: 4, crisismerge: 1000 },
} as const;

interface ChangedFamily {
  readonly family: TranscriptFamily;
  readonly version: string;
}

interface BatchWork {
  /** Reads a session and writes it; gives the number of characters to index. */
  read(one: ChangedFamily): Promise<number>;
  /** Indexes what still waits for it. */
  writeWords(): void;
}

/** Reads sessions and writes them in batches. */
class SessionBatches {
  readonly failures: { readonly path: string; readonly reason: string }[] = [];
  readonly #database: CatalogueDatabase;
  readonly #context: RefreshContext;
  done = 0;

  constructor(database: CatalogueDatabase, context: RefreshContext) {
    this.#database = database;
    this.#context = context;
  }

  async readAll(changed: readonly ChangedFamily[]): Promise<'complete' | 'interrupted'> {
    if (changed.length === 0) return 'complete';
    const { readFamily } = await import('@robota-sdk/agent-transcript/architectures');
    const pricer = await loadRequestPricer();
    const rows = new SessionRows(this.#database, this.#context.directories);
    const read = async ({ family, version }: ChangedFamily) => {
      const reading = await this.#orFailure(family, async () =>
        readSession(await readFamily(family)),
      );
      if (reading === undefined) return 0;
      const requests = reading.requests.map((each) => toLedgerRequest(family.type, each, pricer));
      return rows.write({ family, version, reading, requests });
    };
    for (let at = 0; at < changed.length; ) {
      if (this.#context.signal?.aborted) return 'interrupted';
      at = await this.#batch(changed, at, { read, writeWords: () => rows.writeWords() });
      await nextTurn();
    }
    return 'complete';
  }

  async #batch(
    changed: readonly ChangedFamily[],
    at: number,
    { read, writeWords }: BatchWork,
  ): Promise<number> {
    let characters = 0;
    let next = at;
    let turnAt = performance.now();
    this.#database.exec('begin immediate');
    try {
      while (next < changed.length && next - at < BATCH_SESSIONS && characters < BATCH_CHARACTERS) {
        const one = changed[next];
        if (this.#context.signal?.aborted || one === undefined) break;
        characters += await read(one);
        next += 1;
        this.done += 1;
        this.#context.onProgress?.({ done: this.done, total: changed.length });
        if (performance.now() - turnAt < YIELD_MS) continue;
        await nextTurn();
        turnAt = performance.now();
      }
      writeWords();
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
    return next;
  }

  /** A transcript that cannot be read, whatever the reason, must not block the others; it is retried next time. */
  async #orFailure<Result>(
    { path }: TranscriptFamily,
    read: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      this.failures.push({ path, reason: reasonOf(error) });
      return undefined;
    }
  }
}

/** The cause says what the reader met; the error itself names the file, which is known. */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message : message;
}

interface MissingSessions {
  /** Places in the catalogue that the inventory lacks. */
  readonly missing: readonly string[];
  readonly families: readonly TranscriptFamily[];
}

function unusableLedgers({ ledger, directories }: RefreshContext): RefreshReport['failures'] {
  return [ledger, directories].flatMap((each) => {
    const reason = each.findProblem();
    return reason === undefined ? [] : [{ path: each.path, reason }];
  });
}

/** Without a ledger for their costs, deleted sessions stay as they are until there is one again. */
function updateDeleted(
  database: CatalogueDatabase,
  sessions: MissingSessions,
  context: RefreshContext,
): number {
  const { ledger } = context;
  if (ledger.findProblem() !== undefined) return 0;
  const count = removeMissing(database, sessions, context);
  if (sessions.missing.length > 0 || hasNewLedger(database, ledger))
    restoreDeleted(database, sessions.families, context);
  setMeta(database, 'ledger', ledger.stamp());
  return count;
}

function removeMissing(
  database: CatalogueDatabase,
  { missing, families }: MissingSessions,
  { ledger, directories, now }: RefreshContext,
): number {
  if (missing.length === 0) return 0;
  const ids = new Set(families.map(({ type, id }) => `${type}\n${id}`));
  const files = new Set(
    families.flatMap(({ path, parts }) => [path, ...parts.map((part) => part.path)]),
  );
  const rows = new SessionRows(database, directories);
  const deletedAt = now();
  const found = missing.flatMap((place) => {
    const [type = '', id = '', ...path] = place.split('\n');
    const isElsewhere = ids.has(`${type}\n${id}`);
    const isOthers = files.has(path.join('\n'));
    const row = database.row(
      'select id from session where type = ? and native_id = ? and path = ? and gone is null',
      type,
      id,
      path.join('\n'),
    );
    return row === undefined ? [] : [{ session: Number(row.id), isElsewhere, isOthers }];
  });
  const gone: DeletedSession[] = [];
  for (const { session, isElsewhere, isOthers } of found) {
    // Not deleted: a file that now belongs to another session, and a session that moved with all its requests.
    // In sequence, because of copies deleted together the last one keeps what only they had.
    if (isOthers || (isElsewhere && !holdsMore(database, session))) {
      rows.remove(session);
      continue;
    }
    gone.push(deletedSession(database, session, deletedAt));
    rows.markGone(session, deletedAt);
  }
  // Appended before the catalogue's transaction commits; after a crash in between it is appended again.
  ledger.append(gone);
  return gone.length;
}

/** Whether the ledger changed since it was last read. */
function hasNewLedger(database: CatalogueDatabase, ledger: DeletionLedger): boolean {
  return metaOf(database, 'ledger') !== ledger.stamp();
}

/** Versions by place, without deleted sessions. Selected as one text, because a row for each is far slower. */
function knownVersions(database: CatalogueDatabase): Map<string, string> {
  const row = database.row(
    `select group_concat(type || char(10) || native_id || char(10) || path || char(31) || version, char(30))
       as places from session where gone is null`,
  );
  const places = typeof row?.places === 'string' ? row.places.split('\x1e') : [];
  return new Map(
    places.map((text) => {
      const end = text.indexOf('\x1f');
      return [text.slice(0, end), text.slice(end + 1)];
    }),
  );
}

function placeOf({ type, id, path }: TranscriptFamily): string {
  return `${type}\n${id}\n${path}`;
}

/** Hashes the long version of a session with many files, because only equality matters. */
export function shortVersion(version: string): string {
  return version.length <= MAX_VERSION_LENGTH ? version : hashOf(version);
}

const MAX_VERSION_LENGTH = 80;

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}

function saveWatched(database: CatalogueDatabase, watched: ReadonlyMap<string, number>): void {
  const stamp = hashOf(JSON.stringify([...watched]));
  if (metaOf(database, 'watched') === stamp) return;
  database.run('delete from watched');
  for (const [path, mtime] of watched)
    database.run('insert or replace into watched values (?, ?)', path, mtime);
  setMeta(database, 'watched', stamp);
}

function metaOf(database: CatalogueDatabase, key: string): string | undefined {
  const value = database.row('select value from meta where key = ?', key)?.value;
  return typeof value === 'string' ? value : undefined;
}

function setMeta(database: CatalogueDatabase, key: string, value: string): void {
  database.run('insert or replace into meta values (?, ?)', key, value);
}

function inTransaction<Result>(database: CatalogueDatabase, work: () => Result): Result {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/** Origins read from the heads of files, cached in the catalogue; written by `save`. */
class StoredOrigins implements OriginMemory {
  readonly #database: CatalogueDatabase;
  readonly #known: Map<string, { readonly stamp: string; readonly origin: string }>;
  readonly #fresh = new Set<string>();

  constructor(database: CatalogueDatabase) {
    this.#database = database;
    this.#known = new Map(
      database
        .rows('select path, stamp, origin from origin')
        .map(({ path, stamp, origin }) => [
          String(path),
          { stamp: String(stamp), origin: String(origin) },
        ]),
    );
  }

  recall(path: string, stamp: string): string | undefined {
    const found = this.#known.get(path);
    return found?.stamp === stamp ? found.origin : undefined;
  }

  keep(path: string, stamp: string, origin: string): void {
    this.#known.set(path, { stamp, origin });
    this.#fresh.add(path);
  }

  save(): void {
    for (const path of this.#fresh) {
      const { stamp = '', origin = '' } = this.#known.get(path) ?? {};
      this.#database.run('insert or replace into origin values (?, ?, ?)', path, stamp, origin);
    }
    this.#fresh.clear();
  }
}
