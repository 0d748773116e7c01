import { type FSWatcher, watch } from 'node:fs';

/** A watch that signals changes in a folder without saying what changed. */
export interface FolderWatch {
  /** False if the system cannot watch the folder, so that the caller must poll. */
  readonly isOn: boolean;
  close(): void;
}

/**
 * Watches a folder. All callers in this process share one watch per folder, because the system limits them. A missing
 * folder, or a system without watches left, gives a watch that is off.
 */
export function watchFolder(folder: string, onChange: () => void): FolderWatch {
  const shared = WATCHED.get(folder) ?? openWatch(folder);
  shared?.listeners.add(onChange);
  return {
    get isOn() {
      return shared?.isOpen === true;
    },
    close() {
      shared?.listeners.delete(onChange);
      if (shared?.listeners.size === 0) closeWatch(folder, shared);
    },
  };
}

interface SharedWatch {
  readonly watcher: FSWatcher;
  readonly listeners: Set<() => void>;
  isOpen: boolean;
}

const WATCHED = new Map<string, SharedWatch>();

function openWatch(folder: string): SharedWatch | undefined {
  try {
    const listeners = new Set<() => void>();
    const watcher = watch(folder, { persistent: false }, () => {
      for (const listener of listeners) listener();
    });
    const shared = { watcher, listeners, isOpen: true };
    watcher.on('error', () => closeWatch(folder, shared));
    WATCHED.set(folder, shared);
    return shared;
  } catch {
    // Missing (ENOENT), or no instances (EMFILE) or watches (ENOSPC) left: the caller polls.
    return undefined;
  }
}

function closeWatch(folder: string, shared: SharedWatch): void {
  shared.isOpen = false;
  shared.watcher.close();
  if (WATCHED.get(folder) === shared) WATCHED.delete(folder);
}
