import { renameSync, rmSync, statSync } from 'node:fs';
import { CatalogueDatabase, isBusy, isDamage } from './database.ts';
import { createTables, openTables } from './schema.ts';

/** The file of a catalogue: opened when first asked for, built anew when it is missing, damaged or of another version. */
export class CatalogueFile {
  readonly path: string;
  #database: CatalogueDatabase | undefined;
  /** Which file was opened: another may have been put in its place since. */
  #inode = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Runs `work` on the open file. Damage that it meets costs the file, not the answer: there is then nothing known. */
  use<Result>(work: (database: CatalogueDatabase) => Result): Result {
    try {
      return work(this.#current());
    } catch (error) {
      if (!this.replaceDamaged(error)) throw error;
      return work(this.#current());
    }
  }

  /** Damage found by somebody who cannot simply try again. */
  replaceDamaged(error: unknown): boolean {
    if (!isDamage(error)) return false;
    this.replace();
    return true;
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #current(): CatalogueDatabase {
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (this.#database !== undefined && found?.ino === this.#inode) return this.#database;
    this.close();
    // A file of no length is made anew without a look at it: an older connection to it may still hold a lock.
    const known = found === undefined || found.size === 0 ? undefined : openTables(this.path);
    return this.#keep(known ?? this.#create());
  }

  #keep(database: CatalogueDatabase): CatalogueDatabase {
    this.#database = database;
    this.#inode = statSync(this.path).ino;
    return database;
  }

  /** Puts an empty catalogue in the place of the one that is there. */
  replace(): void {
    try {
      this.close();
    } catch {
      // A file that is damaged enough cannot even be closed in order; it is moved away in any case.
      this.#database = undefined;
    }
    this.#keep(this.#create());
  }

  /** Made apart and moved into place, so that of two processes that do it each sees a whole one. */
  #create(): CatalogueDatabase {
    const draft = `${this.path}.${process.pid}.new`;
    for (const suffix of SUFFIXES) rmSync(`${draft}${suffix}`, { force: true });
    createTables(draft).close();
    for (const suffix of ['-wal', '-shm']) rmSync(`${this.path}${suffix}`, { force: true });
    renameSync(draft, this.path);
    for (const suffix of SUFFIXES) rmSync(`${draft}${suffix}`, { force: true });
    const opened = openTables(this.path);
    if (opened === undefined) throw new Error(`Cannot create the catalogue ${this.path}`);
    return opened;
  }
}

const SUFFIXES = ['', '-wal', '-shm'];

/**
 * Runs `work` while no other process does so; undefined when another one is at it. The lock is a transaction on a
 * file of its own, so it goes with the process that holds it.
 */
export async function whileAlone<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const lock = new CatalogueDatabase(path);
  try {
    lock.exec('pragma busy_timeout = 0');
    try {
      lock.exec('begin exclusive');
    } catch (error) {
      if (isBusy(error)) return undefined;
      throw error;
    }
    const result = await work();
    lock.exec('rollback');
    return result;
  } finally {
    lock.close();
  }
}
