import { constants, fsyncSync, mkdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { withRegularFile } from './regular-file.ts';

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_WRONLY } = constants;

/** A file of lines in our home that is only appended to. One that cannot be used costs only what it holds. */
export class LedgerFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Why the file cannot be used, and what to do; undefined if it can be, or is not there yet. */
  findProblem(): string | undefined {
    try {
      this.#with(O_RDWR | O_APPEND, () => true);
      return undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      const reason = error instanceof Error ? error.message : String(error);
      return `${reason}. Make it a file that you may read and write, or remove it.`;
    }
  }

  /** Changes whenever the file may have changed. */
  stamp(): string {
    const found = statSync(this.path, { throwIfNoEntry: false });
    return found ? `${found.ino}/${found.size}/${found.mtimeMs}` : '';
  }

  /** None of a file that is not there or cannot be used. */
  lines(): readonly string[] {
    try {
      return this.#with(O_RDONLY, (file) => readFileSync(file, 'utf8')).split('\n');
    } catch {
      // `findProblem` says why.
      return [];
    }
  }

  /** Fails where the file cannot be used; waits for the disk if `isDurable`. */
  append(lines: readonly string[], { isDurable }: { readonly isDurable: boolean }): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    this.#with(O_WRONLY | O_APPEND | O_CREAT, (file) => {
      // The leading newline keeps a line torn by a crash from merging with the next; empty lines are skipped.
      const bytes = Buffer.from(`\n${lines.join('\n')}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      if (isDurable) fsyncSync(file);
      return true;
    });
  }

  #with<Result extends string | true>(flags: number, work: (file: number) => Result): Result {
    const result = withRegularFile(this.path, flags, work);
    if (result === undefined) throw new Error('It is not a regular file');
    return result;
  }
}

function isMissing(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
