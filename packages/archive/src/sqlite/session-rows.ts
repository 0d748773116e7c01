import type { TranscriptFamily } from '@robota-sdk/agent-transcript/architectures';
import { toAgentName } from '@robota-sdk/agent-transcript/blocks';
import type { LedgerRequest } from '../ledger.ts';
import type { ProjectLedger } from '../project-ledger.ts';
import { identifyProject } from '../reading/project-identity.ts';
import { spaceCharacters } from '../reading/search-words.ts';
import { digestReading, isEmptyReading, type SessionReading } from '../reading/session-reading.ts';
import type { CatalogueDatabase } from './database.ts';
import { documentOf } from './numbers.ts';
import { packPlaces } from './places.ts';
import { forgetRequests, settle, sharedKeys, writeRequests } from './request-rows.ts';

/** A session of the inventory as it was read. */
export interface ReadFamily {
  readonly family: TranscriptFamily;
  readonly version: string;
  readonly reading: SessionReading;
  readonly requests: readonly LedgerRequest[];
}

/** Writes sessions into the tables; the caller holds the transaction. */
export class SessionRows {
  readonly #database: CatalogueDatabase;
  readonly #directories: ProjectLedger;
  readonly #projects = new Map<string, number>();
  #lastBlock: number;

  constructor(database: CatalogueDatabase, directories: ProjectLedger) {
    this.#database = database;
    this.#directories = directories;
    this.#lastBlock = Number(database.row('select max(last) as last from span')?.last ?? 0);
  }

  /** Replaces whatever is known of the session. Gives the number of characters that were indexed. */
  write({ family, version, reading, requests }: ReadFamily): number {
    const { type, id, path } = family;
    const created = Math.round(reading.createdAt ?? family.updatedAt);
    this.#removeAt(family);
    const cwd = family.cwd ?? reading.cwd ?? null;
    const session = this.#database.run(
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
    return this.#writeWords(session, reading);
  }

  /** A session that is gone keeps what was paid for it and nothing that was said in it. */
  markGone(session: number, deletedAt: number): void {
    this.#forgetWords(session);
    this.#database.run(
      `update session set gone = ?, hidden = 1, twin = 0, orphan = 0, preview = '', digest = '', version = '',
         title = case when type = 'robota' then null else title end where id = ?`,
      deletedAt,
      session,
    );
    settle(this.#database, sharedKeys(this.#database, session));
    this.#settleTwinsOf(session);
  }

  /** Forgets the session with what was paid for it. */
  remove(session: number): void {
    const known = this.#identityOf(session);
    this.#forgetWords(session);
    settle(this.#database, forgetRequests(this.#database, session));
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
   * Of several copies of one session the one that went on longest is shown. Rows are changed one by one: an update
   * of several opens a savepoint, and each savepoint writes the words out as a segment of their own.
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
    const { key, name } = this.#identify(cwd);
    const project = this.project(key, name);
    this.#database.run('insert or replace into project_path values (?, ?)', cwd, project);
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

  /** A directory that is gone keeps the project it belonged to when it was last there. */
  #identify(cwd: string) {
    const found = identifyProject(cwd);
    if (found.key.startsWith('path:')) return this.#directories.find(cwd) ?? found;
    this.#directories.keep(cwd, found);
    return found;
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

  #writeWords(session: number, { threads }: SessionReading): number {
    const first = this.#lastBlock + 1;
    let characters = 0;
    for (const { blocks } of threads) {
      for (const { column, text } of blocks) {
        this.#lastBlock += 1;
        if (text === '') continue;
        characters += text.length;
        this.#database.write(
          'insert into words(rowid, text) values (?, ?)',
          documentOf(this.#lastBlock, column),
          spaceCharacters(text),
        );
      }
    }
    if (this.#lastBlock < first) return 0;
    this.#database.run('insert into span values (?, ?, ?)', first, this.#lastBlock, session);
    this.#database.run('insert into place values (?, ?)', session, packPlaces(threads));
    return characters;
  }

  #forgetWords(session: number): void {
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
