import { renameSync, rmSync, statSync } from 'node:fs';
import { CatalogueDatabase, isBusy, isDamage } from './database.ts';
import { createTables, openTables } from './schema.ts';

/** The file of a catalogue: opened on first use, rebuilt if it is missing, damaged or of another version. */
export class CatalogueFile {
  readonly path: string;
  #database: CatalogueDatabase | undefined;
  /** Inode of the opened file, because another process may have replaced it since. */
  #inode = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Runs `work` on the open file. A damaged file is replaced by an empty one and `work` runs again. */
  use<Result>(work: (database: CatalogueDatabase) => Result): Result {
    try {
      return work(this.#current());
    } catch (error) {
      if (!this.replaceDamaged(error)) throw error;
      return work(this.#current());
    }
  }

  /** Replaces the file if the error is due to damage, for callers that retry themselves. */
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
    // An empty file is replaced without opening it, because an older connection may still lock it.
    const known = found === undefined || found.size === 0 ? undefined : openTables(this.path);
    return this.#keep(known ?? this.#create());
  }

  #keep(database: CatalogueDatabase): CatalogueDatabase {
    this.#database = database;
    this.#inode = statSync(this.path).ino;
    return database;
  }

  /** Replaces the file with an empty catalogue. */
  replace(): void {
    try {
      this.close();
    } catch {
      // A badly damaged file cannot even be closed cleanly; it is replaced in any case.
      this.#database = undefined;
    }
    this.#keep(this.#create());
  }

  /** Created aside and renamed into place, so that a concurrent process always sees a complete file. */
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
 * Runs `work` under an exclusive lock; undefined if another process holds it. The lock is a transaction on a separate
 * file, so it ends with its process. A file that is no database is replaced: there is nothing in it.
 */
export async function withExclusiveLock<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const lock = takeLock(path);
  if (lock === undefined) return undefined;
  try {
    const result = await work();
    lock.exec('rollback');
    return result;
  } finally {
    lock.close();
  }
}

function takeLock(path: string): CatalogueDatabase | undefined {
  try {
    return tryLock(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    rmSync(path);
    return tryLock(path);
  }
}

function tryLock(path: string): CatalogueDatabase | undefined {
  const lock = new CatalogueDatabase(path);
  try {
    lock.exec('pragma busy_timeout = 0');
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
