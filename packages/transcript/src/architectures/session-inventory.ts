import type { AgentArchitectureType } from '../architecture-type.ts';
import type { FinderPlace } from './session-finder.ts';
import type { SubagentFile } from './transcript-layout.ts';

/**
 * Port: lists all sessions that one agent keeps on this machine, with their files, without rereading what
 * has not changed. Missing folders and unreadable files are normal and yield nothing.
 */
export interface SessionInventory {
  /** `undefined` if this machine uses another layout, which only the agent's finder supports. */
  take(place: FinderPlace, memory: OriginMemory): Inventory | undefined;
}

/** Every session of an agent, with its files. */
export interface Inventory {
  readonly families: readonly TranscriptFamily[];
  /** Folders and files that change when a session is added or removed: path and modification time. */
  readonly watched: ReadonlyMap<string, number>;
  /** Agents whose sessions cannot be listed now. */
  readonly failures?: readonly InventoryFailure[] | undefined;
}

/** Why the sessions of an agent cannot be listed, such as a damaged database. They are not gone. */
export interface InventoryFailure {
  readonly type: AgentArchitectureType;
  readonly path: string;
  readonly reason: string;
}

/** All files of one session. */
export interface TranscriptFamily {
  readonly type: AgentArchitectureType;
  readonly id: string;
  readonly path: string;
  /** Other files that are read with it: subagents, and threads it continues. */
  readonly parts: readonly SubagentFile[];
  /** Changes whenever one of the files may have changed. */
  readonly version: string;
  /** Time of the last write, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly bytes: number;
  /** The agent's working directory, if it is stored outside the transcript. */
  readonly cwd?: string | undefined;
  /** A subagent's file whose session is gone. */
  readonly isOrphan?: true | undefined;
}

/** Cache of what file heads contain, so that each head is read once. */
export interface OriginMemory {
  recall(path: string, stamp: string): string | undefined;
  keep(path: string, stamp: string, origin: string): void;
}

/** Creates an in-memory cache. */
export function createOriginMemory(): OriginMemory {
  const known = new Map<string, { readonly stamp: string; readonly origin: string }>();
  return {
    recall(path, stamp) {
      const found = known.get(path);
      return found?.stamp === stamp ? found.origin : undefined;
    },
    keep: (path, stamp, origin) => known.set(path, { stamp, origin }),
  };
}
