import { renameSync, rmSync } from 'node:fs';
import { CatalogueDatabase, isBusy, isDamage } from './database.ts';
import { createTables, openTables } from './schema.ts';

/** The file of a catalogue: opened when first asked for, built anew when it is missing, damaged or of another version. */
export class CatalogueFile {
  readonly path: string;
  #database: CatalogueDatabase | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Runs `work` on the open file. Damage that it meets costs the file, not the answer: there is then nothing known. */
  use<Result>(work: (database: CatalogueDatabase) => Result): Result {
    try {
      this.#database ??= this.#open();
      return work(this.#database);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#rebuild();
      return work(this.#database ?? this.#open());
    }
  }

  /** Damage found by somebody who cannot simply try again. */
  replaceDamaged(error: unknown): boolean {
    if (!isDamage(error)) return false;
    this.#rebuild();
    return true;
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #open(): CatalogueDatabase {
    const known = openTables(this.path);
    if (known !== undefined) return known;
    this.#database = undefined;
    return this.#create();
  }

  #rebuild(): void {
    try {
      this.close();
    } catch {
      // A file that is damaged enough cannot even be closed in order; it is moved away in any case.
      this.#database = undefined;
    }
    this.#database = this.#create();
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
