import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where the files that a session changed are kept, beside its log. */
export interface SnapshotFolders {
  /** Goes with the session. */
  readonly session: string;
  /** What is remembered of the working directory; sessions in it share this. */
  readonly tree: string;
}

const TREES = '.trees';

/** The folders in which snapshots of a session are kept. */
export function snapshotFolders(
  logDirectory: string,
  sessionId: string,
  cwd: string,
): SnapshotFolders {
  const tree = createHash('sha256').update(cwd).digest('hex').slice(0, 32);
  return { session: sessionFolder(logDirectory, sessionId), tree: join(logDirectory, TREES, tree) };
}

/** All of them, those of a given session first. */
export function allSnapshotFolders(logDirectory: string, sessionId: string): string[] {
  const own = sessionFolder(logDirectory, sessionId);
  const others = namesIn(logDirectory)
    .map((name) => sessionFolder(logDirectory, name))
    .filter((folder) => folder !== own && existsSync(folder));
  const trees = join(logDirectory, TREES);
  return [own, ...others, ...namesIn(trees).map((name) => join(trees, name))];
}

/** Deletes what is remembered of the directory that a session worked in: versions of its files may be among it. */
export function deleteTreeOf(logDirectory: string, cwd: string | undefined): void {
  if (cwd === undefined) return;
  rmSync(snapshotFolders(logDirectory, '', cwd).tree, { recursive: true, force: true });
}

/** The working directory that a record names, without reading the record as one. */
export function cwdIn(recordPath: string): string | undefined {
  try {
    const { cwd } = JSON.parse(readFileSync(recordPath, 'utf8')) as { readonly cwd?: unknown };
    return typeof cwd === 'string' ? cwd : undefined;
  } catch {
    return undefined; // Gone or damaged: its tree is dropped when it is old.
  }
}

function sessionFolder(logDirectory: string, sessionId: string): string {
  return join(logDirectory, sessionId, 'files');
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
