import type { AgentArchitectureType } from '../architecture-type.ts';
import type { FinderPlace } from './session-finder.ts';
import type { SubagentFile } from './transcript-layout.ts';

/**
 * Port: tells all sessions that one agent keeps on this machine, with the files of each, without reading again what
 * has not changed. Missing folders and unreadable files are normal and yield nothing.
 */
export interface SessionInventory {
  /** `undefined`: this agent's sessions are laid out otherwise here, and its finder knows them. */
  take(place: FinderPlace, memory: OriginMemory): Inventory | undefined;
}

/** Every session of an agent, with its files. */
export interface Inventory {
  readonly families: readonly TranscriptFamily[];
  /** Folders and files that change when a session is added or removed: path and time of change. */
  readonly watched: ReadonlyMap<string, number>;
}

/** All files of one session. */
export interface TranscriptFamily {
  readonly type: AgentArchitectureType;
  readonly id: string;
  readonly path: string;
  /** Other files that are read with it: subagents, and threads it goes on from. */
  readonly parts: readonly SubagentFile[];
  /** Changes whenever one of the files may have changed. */
  readonly version: string;
  /** When it was last written, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly bytes: number;
  /** Where the agent ran, when that is written beside the transcript. */
  readonly cwd?: string | undefined;
  /** A subagent's file whose session is not there any more. */
  readonly isOrphan?: true | undefined;
}

/** What was found out about files before, so that their heads are read once. */
export interface OriginMemory {
  recall(path: string, stamp: string): string | undefined;
  keep(path: string, stamp: string, origin: string): void;
}

/** Remembers where sessions come from, so that each file is read once. */
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
