import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProjectIdentity } from './reading/project-identity.ts';

/**
 * Which project directories belonged to, for those that are moved or deleted later: durable, one line a directory,
 * because a catalogue that is built anew can no longer look there. Of two lines for one directory the later wins.
 */
export class ProjectLedger {
  readonly #path: string;
  #known: Map<string, ProjectIdentity> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  find(directory: string): ProjectIdentity | undefined {
    return this.#read().get(directory);
  }

  keep(directory: string, { key, name }: ProjectIdentity): void {
    const before = this.#read().get(directory);
    if (before?.key === key && before.name === name) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const line = JSON.stringify({ version: 1, path: directory, key, name });
    // A line that a crash left unfinished must not swallow this one; empty lines are passed over.
    appendFileSync(this.#path, `\n${line}\n`, { mode: 0o600 });
    this.#read().set(directory, { key, name });
  }

  #read(): Map<string, ProjectIdentity> {
    this.#known ??= new Map(this.#lines().flatMap(readLine));
    return this.#known;
  }

  #lines(): string[] {
    try {
      return readFileSync(this.#path, 'utf8').split('\n');
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return [];
      throw new Error(`Cannot read the projects in ${this.#path}`, { cause: error });
    }
  }
}

function readLine(line: string): [directory: string, ProjectIdentity][] {
  try {
    const { path, key, name } = JSON.parse(line) as Partial<Record<string, unknown>>;
    const isWhole = typeof path === 'string' && typeof key === 'string' && typeof name === 'string';
    return isWhole ? [[path, { key, name }]] : [];
  } catch {
    // Empty, or torn by a crash; the directory is written again when it is next seen.
    return [];
  }
}
