import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../regular-file.ts';

/** Folders with copies of the files a session changed, next to its log. */
export interface SnapshotFolders {
  /** Deleted with the session. */
  readonly session: string;
  /** Snapshot of the working directory, shared by its sessions. */
  readonly tree: string;
}

const TREES = '.trees';

/** Paths of the folders with snapshots of a session. */
export function snapshotFolders(
  logDirectory: string,
  sessionId: string,
  cwd: string,
): SnapshotFolders {
  const tree = createHash('sha256').update(cwd).digest('hex').slice(0, 32);
  return { session: sessionFolder(logDirectory, sessionId), tree: join(logDirectory, TREES, tree) };
}

/** All snapshot folders, those of the given session first. */
export function allSnapshotFolders(logDirectory: string, sessionId: string): string[] {
  const own = sessionFolder(logDirectory, sessionId);
  const others = namesIn(logDirectory)
    .map((name) => sessionFolder(logDirectory, name))
    .filter((folder) => folder !== own && existsSync(folder));
  const trees = join(logDirectory, TREES);
  return [own, ...others, ...namesIn(trees).map((name) => join(trees, name))];
}

/** Deletes the snapshot of a session's working directory, which may contain versions of its files. */
export function deleteTreeOf(logDirectory: string, cwd: string | undefined): void {
  if (cwd === undefined) return;
  rmSync(snapshotFolders(logDirectory, '', cwd).tree, { recursive: true, force: true });
}

/** The working directory in a record, without validating the record. */
export function cwdIn(recordPath: string): string | undefined {
  try {
    const { cwd } = JSON.parse(readRegularFile(recordPath).toString('utf8')) as {
      readonly cwd?: unknown;
    };
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
