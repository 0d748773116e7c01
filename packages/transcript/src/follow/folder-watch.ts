import { type FSWatcher, watch } from 'node:fs';

/** Told whenever something in a folder has changed; what it was, the listener finds out by looking. */
export interface FolderWatch {
  /** Whether the system tells of changes at all; if not, one has to look oneself. */
  readonly isOn: boolean;
  close(): void;
}

/**
 * Watches a folder. All who watch the same one in this process share a watch, because the system has few. A folder
 * that is not there, or a system that has no watches left, gives a watch that is off.
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
    // Not there yet (ENOENT), no instances (EMFILE) or watches (ENOSPC) left: the caller looks by itself.
    return undefined;
  }
}

function closeWatch(folder: string, shared: SharedWatch): void {
  shared.isOpen = false;
  shared.watcher.close();
  if (WATCHED.get(folder) === shared) WATCHED.delete(folder);
}
