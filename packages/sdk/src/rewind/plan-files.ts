import type { FileChange, FileVersion } from '@robota-sdk/agent-core/log';
import { partsOf } from '@robota-sdk/agent-tools';

/** The planned change of one path. */
export interface PlannedFile {
  readonly path: string;
  readonly from: FileVersion;
  readonly to: FileVersion;
  readonly madeFolder?: string | undefined;
  /** Why the user has to agree. */
  readonly conflict?: string;
  /** True when it stays as it is: the earlier version is not stored, or an undo could not restore the current one. */
  readonly isFixed?: boolean;
}

interface Wanted {
  readonly to: FileVersion;
  /** The current version if only the agent changed the path. */
  readonly expected: FileVersion;
  readonly doubt?: 'between' | 'unknown';
  readonly madeFolder?: string | undefined;
}

/** The version before the first of these changes, for every changed path. */
export function wantedBefore(changes: readonly FileChange[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const change of changes) {
    const earlier = wanted.get(change.path);
    const madeFolder = earlier?.madeFolder ?? change.madeFolder;
    const doubt = doubtAfter(change, earlier);
    wanted.set(change.path, {
      to: earlier ? earlier.to : change.before,
      expected: change.after,
      ...(doubt && { doubt }),
      ...(madeFolder !== undefined && { madeFolder }),
    });
  }
  return wanted;
}

/** Whether a version not made by the agent lies between its changes, unless the user agreed to replace it. */
function doubtAfter(change: FileChange, earlier: Wanted | undefined): Wanted['doubt'] {
  if (change.person === 'replaced') return undefined;
  if (change.person === 'restored') return 'between';
  if (change.person === 'unknown') return 'unknown';
  if (earlier && earlier.expected !== change.before) return 'between';
  return earlier?.doubt;
}

/** The inverse of the changes of a rewind. */
export function wantedUndone(changes: readonly FileChange[]): Map<string, Wanted> {
  return new Map(
    changes.map(({ path, before, after }) => [path, { to: before, expected: after }] as const),
  );
}

/** Compares wanted versions with current and stored ones; paths already as wanted are left out. */
export function planFiles(
  wanted: ReadonlyMap<string, Wanted>,
  current: ReadonlyMap<string, FileVersion>,
  isKept: (hash: string) => boolean,
): PlannedFile[] {
  const planned: PlannedFile[] = [];
  const replacedFolders = foldersToReplace(wanted, current);
  for (const [path, { to, expected, doubt, madeFolder }] of wanted) {
    const from = current.get(path) ?? null;
    if (from === to || (from === 'folder' && to === null)) continue;
    const isReplacedFolder = replacedFolders.includes(path);
    const fixed = goneReason(to, isKept) ?? (isReplacedFolder ? undefined : fixedReason(from, to));
    const reason = fixed ?? conflictReason((isReplacedFolder ? null : from) === expected, doubt);
    planned.push({
      path,
      from,
      to,
      madeFolder: replacedFolders.find((folder) => path.startsWith(`${folder}/`)) ?? madeFolder,
      ...(reason !== undefined && { conflict: reason }),
      ...(fixed !== undefined && { isFixed: true }),
    });
  }
  return planned.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Folders that are to be replaced by a file and that contain files to be deleted. */
function foldersToReplace(
  wanted: ReadonlyMap<string, Wanted>,
  current: ReadonlyMap<string, FileVersion>,
): string[] {
  const leaving = [...wanted].filter(([, { to }]) => to === null).map(([path]) => path);
  return [...wanted.keys()].filter(
    (path) =>
      current.get(path) === 'folder' && leaving.some((inside) => inside.startsWith(`${path}/`)),
  );
}

function goneReason(to: FileVersion, isKept: (hash: string) => boolean): string | undefined {
  const parts = partsOf(to);
  if (parts.kind !== 'file' || isKept(parts.hash)) return undefined;
  return 'what it was before is not kept any more: newer contents needed the room';
}

function fixedReason(from: FileVersion, to: FileVersion): string | undefined {
  if (partsOf(to).kind === 'unkept') return 'what it was before is not kept: it was too large';
  if (from === 'other' || from === 'folder') return 'something that is no file is in its place';
  if (partsOf(from).kind === 'unkept') return 'what it is now is too large to be kept for an undo';
  return undefined;
}

function conflictReason(isExpected: boolean, doubt: Wanted['doubt']): string | undefined {
  if (!isExpected) return 'it was changed after the agent changed it';
  if (doubt === 'between') return 'it was also changed by somebody else in between';
  if (doubt === 'unknown') return 'the program ended while it was being changed';
  return undefined;
}
