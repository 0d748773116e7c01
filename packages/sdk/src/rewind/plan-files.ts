import { createHash } from 'node:crypto';
import type { FileChange, FileVersion } from '@robota-sdk/agent-core/log';
import { partsOf } from '@robota-sdk/agent-tools';

/** What is to become of one path. */
export interface PlannedFile {
  readonly path: string;
  readonly from: FileVersion;
  readonly to: FileVersion;
  readonly madeFolder?: string | undefined;
  /** Why a person has to agree. */
  readonly conflict?: string;
  /** It stays as it is: what it was is not kept, or what it is could not come back. */
  readonly isFixed?: boolean;
}

interface Wanted {
  readonly to: FileVersion;
  /** What stands there if nobody but the agent changed it. */
  readonly expected: FileVersion;
  readonly doubt?: 'between' | 'unknown';
  readonly madeFolder?: string | undefined;
}

/** What was there before the first of these changes, for every path that they name. */
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

/** A version that the agent did not make lies between its changes, unless the person let it go. */
function doubtAfter(change: FileChange, earlier: Wanted | undefined): Wanted['doubt'] {
  if (change.person === 'replaced') return undefined;
  if (change.person === 'restored') return 'between';
  if (change.person === 'unknown') return 'unknown';
  if (earlier && earlier.expected !== change.before) return 'between';
  return earlier?.doubt;
}

/** The opposite of the changes that a rewind made. */
export function wantedUndone(changes: readonly FileChange[]): Map<string, Wanted> {
  return new Map(
    changes.map(({ path, before, after }) => [path, { to: before, expected: after }] as const),
  );
}

/** Compares what is wanted with what is there and what is kept. Paths that are as wanted are left out. */
export function planFiles(
  wanted: ReadonlyMap<string, Wanted>,
  current: ReadonlyMap<string, FileVersion>,
  isKept: (hash: string) => boolean,
): PlannedFile[] {
  const planned: PlannedFile[] = [];
  const rooms = foldersThatLeave(wanted, current);
  for (const [path, { to, expected, doubt, madeFolder }] of wanted) {
    const from = current.get(path) ?? null;
    if (from === to || (from === 'folder' && to === null)) continue;
    const isRoom = rooms.includes(path);
    const fixed = goneReason(to, isKept) ?? (isRoom ? undefined : fixedReason(from, to));
    const reason = fixed ?? conflictReason((isRoom ? null : from) === expected, doubt);
    planned.push({
      path,
      from,
      to,
      madeFolder: rooms.find((folder) => path.startsWith(`${folder}/`)) ?? madeFolder,
      ...(reason !== undefined && { conflict: reason }),
      ...(fixed !== undefined && { isFixed: true }),
    });
  }
  return planned.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** The same for the same plan over the same files. */
export function digestPlan(plan: readonly PlannedFile[]): string {
  const facts = plan.map(({ path, from, to, conflict }) => [path, from, to, conflict ?? '']);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);
}

/** Folders in whose place a file is wanted, and of whose files some leave. */
function foldersThatLeave(
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
