import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

interface SnapshotBudget {
  /** Total bytes of all sessions and trees. */
  readonly mostBytes: number;
}

const SNAPSHOT_BUDGET: SnapshotBudget = { mostBytes: 2 * 1024 * 1024 * 1024 };

/**
 * Removes the oldest of these folders until the rest fits the budget, then the oldest contents of the first one, which
 * is in use. A folder with a journal of unfinished work stays. Restoring a removed version later fails with a message
 * that says so. Returns the removed paths.
 */
export async function boundSnapshots(
  folders: readonly string[],
  { mostBytes }: SnapshotBudget = SNAPSHOT_BUDGET,
): Promise<string[]> {
  const [own, ...others] = await Promise.all(folders.map(measure));
  let total = [own, ...others].reduce((sum, folder) => sum + (folder?.bytes ?? 0), 0);
  const removed: string[] = [];
  const idle = others.filter(({ isBusy, bytes }) => !isBusy && bytes > 0);
  const contents = own?.files.filter(({ path }) => !isJournal(path)) ?? [];
  for (const { path, bytes } of [...idle.sort(byAge), ...contents.sort(byAge)]) {
    if (total <= mostBytes) break;
    await rm(path, { recursive: true, force: true });
    total -= bytes;
    removed.push(path);
  }
  return removed;
}

interface Measured {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

interface MeasuredFolder extends Measured {
  readonly files: Measured[];
  readonly isBusy: boolean;
}

/** A folder that is missing, or vanishes meanwhile, counts as empty. */
async function measure(path: string): Promise<MeasuredFolder> {
  const files: Measured[] = [];
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const status = await lstat(file).catch(() => undefined);
    if (status) files.push({ path: file, bytes: status.size, usedAt: status.mtimeMs });
  }
  return {
    path,
    files,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    usedAt: files.reduce((latest, { usedAt }) => Math.max(latest, usedAt), 0),
    isBusy: files.some((file) => isJournal(file.path)),
  };
}

/** Journals exist while files are being changed, so that a crash leaves nothing unknown. */
function isJournal(path: string): boolean {
  return path.endsWith('.json');
}

function byAge(left: Measured, right: Measured): number {
  return left.usedAt - right.usedAt;
}
