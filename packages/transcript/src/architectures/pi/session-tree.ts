import { asId, asString, type JsonRecord } from '../../json-record.ts';

/** One entry of a session file. Entries form a tree through `parent`; until 0.30 they were a list. */
export interface TreeEntry {
  readonly id: string;
  readonly parent: string | undefined;
  readonly timestamp: string;
  readonly offset: number;
  readonly record: JsonRecord;
}

export function toTreeEntry(
  record: JsonRecord,
  place: {
    readonly index: number;
    readonly offset: number;
    readonly before: TreeEntry | undefined;
  },
): TreeEntry {
  const { index, offset, before } = place;
  const id = asId(record.id);
  return {
    id: id ?? `entry:${index}`,
    // A root has `null`; entries of the first version have no parent field.
    parent: record.parentId === null ? undefined : (asId(record.parentId) ?? before?.id),
    timestamp: asString(record.timestamp) ?? before?.timestamp ?? new Date(0).toISOString(),
    offset,
    record,
  };
}

export interface TreeReading {
  /** From the root to the last entry written. */
  readonly path: readonly TreeEntry[];
  /** Abandoned entries, by the path entry after which they branch off. */
  readonly branches: ReadonlyMap<TreeEntry | undefined, readonly TreeEntry[]>;
}

/** The path to the last entry is the conversation; other entries were abandoned. */
export function readSessionTree(entries: readonly TreeEntry[]): TreeReading {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const onPath = new Set<TreeEntry>();
  for (let at = entries.at(-1); at !== undefined && !onPath.has(at); ) {
    onPath.add(at);
    at = at.parent === undefined ? undefined : byId.get(at.parent);
  }
  const branches = new Map<TreeEntry | undefined, TreeEntry[]>();
  const branchedAfter = new Map<TreeEntry, TreeEntry | undefined>();
  for (const entry of entries) {
    if (onPath.has(entry)) continue;
    const parent = entry.parent === undefined ? undefined : byId.get(entry.parent);
    const isRoot = parent === undefined || onPath.has(parent);
    const after = isRoot ? parent : branchedAfter.get(parent);
    branchedAfter.set(entry, after);
    const branch = branches.get(after);
    if (branch === undefined) branches.set(after, [entry]);
    else branch.push(entry);
  }
  return { path: entries.filter((entry) => onPath.has(entry)), branches };
}
