import type { TranscriptFamily } from '@robota-sdk/agent-transcript/architectures';
import { toAgentName } from '@robota-sdk/agent-transcript/blocks';
import type { LedgerRequest } from '../ledger.ts';
import type { ProjectLedger } from '../project-ledger.ts';
import { identifyProject } from '../reading/project-identity.ts';
import { digestReading, type IndexedSession, isEmptyReading } from '../reading/session-reading.ts';
import type { CatalogueDatabase } from './database.ts';
import { documentOf } from './numbers.ts';
import { PendingWords } from './pending-words.ts';
import { packPlaces } from './places.ts';
import { deleteRequests, settle, sharedKeys, writeRequests } from './request-rows.ts';

/** A session of the inventory with its parsed content. */
export interface ReadFamily {
  readonly family: TranscriptFamily;
  readonly version: string;
  readonly reading: IndexedSession;
  readonly requests: readonly LedgerRequest[];
}

/** Writes sessions into the tables; the caller holds the transaction and calls `writeWords` before its end. */
export class SessionRows {
  readonly #database: CatalogueDatabase;
  readonly #directories: ProjectLedger;
  readonly #projects = new Map<string, number>();
  readonly #words: PendingWords;
  #lastBlock: number;

  constructor(database: CatalogueDatabase, directories: ProjectLedger) {
    this.#database = database;
    this.#directories = directories;
    this.#words = new PendingWords(database);
    this.#lastBlock = Number(database.row('select max(last) as last from span')?.last ?? 0);
  }

  /** Replaces a session; returns the number of characters to index. */
  write({ family, version, reading, requests }: ReadFamily): number {
    const { type, id, path } = family;
    const created = Math.round(reading.createdAt ?? family.updatedAt);
    this.#removeAt(family);
    const cwd = family.cwd ?? reading.cwd ?? null;
    const session = this.#database.insert(
      `insert into session(type, agent, native_id, path, parts, version, project, cwd, title, name, preview, model,
         branch, fork_of, created, updated, messages, orphan, gone, hidden, digest)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?, ?)`,
      type,
      toAgentName(type),
      id,
      path,
      JSON.stringify(family.parts),
      version,
      this.projectOf(cwd),
      cwd,
      reading.title,
      reading.name ?? null,
      reading.preview,
      reading.model ?? null,
      reading.branch ?? null,
      reading.forkOf ?? null,
      created,
      Math.round(Math.max(reading.updatedAt ?? 0, created) || family.updatedAt),
      reading.messages,
      family.isOrphan ? 1 : 0,
      family.isOrphan || isEmptyReading(reading) ? 1 : 0,
      digestReading(reading),
    );
    writeRequests(this.#database, session, requests);
    this.#settleTwins(type, id);
    return this.#addBlocks(session, reading);
  }

  /** Indexes the words of sessions that still wait for it. */
  writeWords(): void {
    this.#words.write();
  }

  /** A deleted session keeps its cost but none of its text. */
  markGone(session: number, deletedAt: number): void {
    this.#deleteWords(session);
    this.#database.run(
      `update session set gone = ?, hidden = 1, twin = 0, orphan = 0, preview = '', digest = '', version = '',
         title = case when type = 'robota' then null else title end where id = ?`,
      deletedAt,
      session,
    );
    settle(this.#database, sharedKeys(this.#database, session));
    this.#settleTwinsOf(session);
  }

  /** Deletes the session with its cost. */
  remove(session: number): void {
    const known = this.#identityOf(session);
    this.#deleteWords(session);
    settle(this.#database, deleteRequests(this.#database, session));
    this.#database.run('delete from session where id = ?', session);
    if (known !== undefined) this.#settleTwins(String(known.type), String(known.id));
  }

  #identityOf(session: number) {
    return this.#database.row('select type, native_id as id from session where id = ?', session);
  }

  #settleTwinsOf(session: number): void {
    const known = this.#identityOf(session);
    if (known !== undefined) this.#settleTwins(String(known.type), String(known.id));
  }

  /**
   * Of several copies of one session, only the latest is shown. Rows are updated one by one, because an update of several
   * opens a savepoint, and each savepoint flushes the word index as a separate segment.
   */
  #settleTwins(type: string, id: string): void {
    const copies = this.#database.rows(
      `select id, twin from session where native_id = ? and type = ? and gone is null
       order by hidden, updated desc, messages desc, path`,
      id,
      type,
    );
    for (const [place, copy] of copies.entries()) {
      const twin = place === 0 ? 0 : 1;
      if (copy.twin === twin) continue;
      this.#database.run('update session set twin = ? where id = ?', twin, Number(copy.id));
    }
  }

  projectOf(cwd: string | null): number | null {
    if (cwd === null || cwd === '') return null;
    const known = this.#projects.get(cwd);
    if (known !== undefined) return known;
    const { identity, changed } = this.#identify(cwd);
    const project = this.project(identity.key, identity.name);
    this.#database.run(
      'update project set name = ? where id = ? and name <> ?',
      identity.name,
      project,
      identity.name,
    );
    for (const directory of new Set([...changed, cwd])) this.#place(directory, project);
    if (identity.marker !== undefined)
      this.#database.run(
        'insert or replace into repository values (?, ?)',
        identity.marker,
        project,
      );
    this.#projects.set(cwd, project);
    return project;
  }

  project(key: string, name: string): number {
    this.#database.run(
      'insert into project(key, name) values (?, ?) on conflict do nothing',
      key,
      name,
    );
    return Number(this.#database.row('select id from project where key = ?', key)?.id);
  }

  /** Sessions read before change project with their directory, as if they were read now. */
  #place(directory: string, project: number): void {
    const known = this.#database.row('select project from project_path where path = ?', directory);
    if (known?.project === project) return;
    this.#database.run('insert or replace into project_path values (?, ?)', directory, project);
    this.#projects.set(directory, project);
    if (known === undefined) return;
    // One by one; see `#settleTwins`.
    for (const { id } of this.#database.rows('select id from session where cwd = ?', directory))
      this.#database.run('update session set project = ? where id = ?', project, Number(id));
  }

  /** A deleted directory keeps its last known project. */
  #identify(cwd: string) {
    const found = identifyProject(cwd, (marker) => this.#directories.ofRepository(marker));
    if (found.key.startsWith('path:'))
      return { identity: this.#directories.find(cwd) ?? found, changed: [] };
    return { identity: found, changed: this.#directories.keep(cwd, found) };
  }

  #removeAt({ type, id, path }: TranscriptFamily): void {
    const known = this.#database.rows(
      'select id from session where native_id = ? and type = ? and path = ?',
      id,
      type,
      path,
    );
    for (const row of known) this.remove(Number(row.id));
  }

  #addBlocks(session: number, { threads }: IndexedSession): number {
    const first = this.#lastBlock + 1;
    let characters = 0;
    for (const { blocks } of threads) {
      for (const { column, text } of blocks) {
        this.#lastBlock += 1;
        if (text === '') continue;
        characters += text.length;
        this.#words.add(documentOf(this.#lastBlock, column), text);
      }
    }
    if (this.#lastBlock < first) return 0;
    this.#database.run('insert into span values (?, ?, ?)', first, this.#lastBlock, session);
    this.#database.run('insert into place values (?, ?)', session, packPlaces(threads));
    return characters;
  }

  #deleteWords(session: number): void {
    this.writeWords();
    for (const { first, last } of this.#database.rows(
      'select first, last from span where session = ?',
      session,
    )) {
      this.#database.run(
        'delete from words where rowid between ? and ?',
        documentOf(Number(first), 'said'),
        documentOf(Number(last), 'tools'),
      );
    }
    this.#database.run('delete from span where session = ?', session);
    this.#database.run('delete from place where session = ?', session);
  }
}
