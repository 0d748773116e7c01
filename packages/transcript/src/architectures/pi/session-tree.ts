import { asId, asString, type JsonRecord } from '../../json-record.ts';

/** One entry of a session file. Entries form a tree through `parent`; until 0.30 each followed the one before. */
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
    // A root of the tree says `null`; entries of the first version say nothing.
    parent: record.parentId === null ? undefined : (asId(record.parentId) ?? before?.id),
    timestamp: asString(record.timestamp) ?? before?.timestamp ?? new Date(0).toISOString(),
    offset,
    record,
  };
}

export interface TreeReading {
  /** From the first entry to the last that was written. */
  readonly path: readonly TreeEntry[];
  /** What was left, by the entry of the path after which it left. */
  readonly branches: ReadonlyMap<TreeEntry | undefined, readonly TreeEntry[]>;
}

/** The conversation ends in the last entry; whatever does not lead to it was left. */
export function readSessionTree(entries: readonly TreeEntry[]): TreeReading {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const onPath = new Set<TreeEntry>();
  for (let at = entries.at(-1); at !== undefined && !onPath.has(at); ) {
    onPath.add(at);
    at = at.parent === undefined ? undefined : byId.get(at.parent);
  }
  const branches = new Map<TreeEntry | undefined, TreeEntry[]>();
  const leftAfter = new Map<TreeEntry, TreeEntry | undefined>();
  for (const entry of entries) {
    if (onPath.has(entry)) continue;
    const parent = entry.parent === undefined ? undefined : byId.get(entry.parent);
    const isRoot = parent === undefined || onPath.has(parent);
    const after = isRoot ? parent : leftAfter.get(parent);
    leftAfter.set(entry, after);
    branches.set(after, [...(branches.get(after) ?? []), entry]);
  }
  return { path: entries.filter((entry) => onPath.has(entry)), branches };
}
