import { LedgerFile } from './ledger-file.ts';
import type { ProjectIdentity } from './reading/project-identity.ts';

/**
 * The project of each directory, for directories that are moved or deleted later: durable, one line per directory,
 * because a rebuilt catalogue can no longer look there. Of two lines for one directory the later wins.
 */
export class ProjectLedger {
  readonly #file: LedgerFile;
  #known: KnownDirectories | undefined;

  constructor(path: string) {
    this.#file = new LedgerFile(path);
  }

  get path(): string {
    return this.#file.path;
  }

  /** Why the ledger cannot be used, and what to do; undefined if it can be, or is not there yet. */
  findProblem(): string | undefined {
    return this.#file.findProblem();
  }

  find(directory: string): ProjectIdentity | undefined {
    const found = this.#read().directories.get(directory);
    return found && { ...found, name: this.#read().names.get(found.key) ?? found.name };
  }

  /** The project of a repository, by its marker; undefined if the marker is its only identity. */
  ofRepository(marker: string): ProjectIdentity | undefined {
    const found = this.#read().repositories.get(marker);
    return found?.key.startsWith('repository:') ? undefined : found;
  }

  /**
   * Stores the project of a directory. Returns all directories whose project changed: when a repository gets a remote or
   * its first commit, its earlier paths change with it.
   */
  keep(directory: string, identity: ProjectIdentity): readonly string[] {
    const { directories } = this.#read();
    const { key, name, marker } = identity;
    const before = directories.get(directory);
    if (before?.key === key && before.name === name && before.marker === marker) return [];
    const others = [...directories].filter(
      ([path, other]) =>
        marker !== undefined && path !== directory && other.marker === marker && other.key !== key,
    );
    const changed = [...others.map(([path]) => path), directory];
    const lines = changed.map((path) => JSON.stringify({ version: 1, path, key, name, marker }));
    this.#append(lines);
    for (const path of changed) remember(this.#read(), path, identity);
    return changed;
  }

  #read(): KnownDirectories {
    this.#known ??= this.#readAll();
    return this.#known;
  }

  #readAll(): KnownDirectories {
    const known = { directories: new Map(), repositories: new Map(), names: new Map() };
    for (const line of this.#file.lines()) {
      const [directory, identity] = readLine(line) ?? [];
      if (directory !== undefined && identity !== undefined) remember(known, directory, identity);
    }
    return known;
  }

  #append(lines: readonly string[]): void {
    try {
      this.#file.append(lines, { isDurable: false });
    } catch {
      // `findProblem` says why; the directories are found again where they are.
    }
  }
}

interface KnownDirectories {
  readonly directories: Map<string, ProjectIdentity>;
  readonly repositories: Map<string, ProjectIdentity>;
  /** The latest name of a project, by its key. */
  readonly names: Map<string, string>;
}

function remember(known: KnownDirectories, directory: string, identity: ProjectIdentity): void {
  known.directories.set(directory, identity);
  known.names.set(identity.key, identity.name);
  if (identity.marker !== undefined) known.repositories.set(identity.marker, identity);
}

function readLine(line: string): [directory: string, ProjectIdentity] | undefined {
  try {
    const { path, key, name, marker } = JSON.parse(line) as Partial<Record<string, unknown>>;
    const isComplete =
      typeof path === 'string' && typeof key === 'string' && typeof name === 'string';
    if (!isComplete) return undefined;
    return [path, { key, name, marker: typeof marker === 'string' ? marker : undefined }];
  } catch {
    // Empty, or torn by a crash; the directory is appended again when it is next seen.
    return undefined;
  }
}
