import { existsSync } from 'node:fs';
import {
  type FellowFold,
  type SavedSession,
  type SecretVault,
  type SessionRecord,
  type SessionRecordStore,
  SessionStore,
  type SessionSummary,
  type VaultFileOptions,
  type WriterLock,
} from '@robota-sdk/agent-session';
import { projectPaths, userPaths } from '../paths.ts';

/** The user's sessions for one project: lists contain only its own, lookups by id find all. */
export class ProjectSessionStore implements SessionRecordStore {
  /** Where the logs of these sessions are stored. */
  readonly logDirectory: string;
  readonly #cwd: string;
  readonly #store: SessionStore;
  readonly #old: SessionStore | undefined;

  constructor(cwd: string) {
    const { sessions, logs } = userPaths();
    const old = projectPaths(cwd).oldSessions;
    this.logDirectory = logs;
    this.#cwd = cwd;
    this.#store = new SessionStore(sessions, { logDir: logs });
    this.#old = old !== sessions && existsSync(old) ? new SessionStore(old) : undefined;
  }

  save(record: SessionRecord): void {
    this.#store.save(record);
  }

  /** Falls back to the sessions an earlier implementation stored in the project. */
  load(id: string): SessionRecord | undefined {
    return this.#store.load(id) ?? this.#old?.load(id);
  }

  open(id: string, fellows: readonly FellowFold[] = []): SavedSession | undefined {
    return this.#store.open(id, fellows) ?? this.#old?.open(id, fellows);
  }

  list(): SessionRecord[] {
    return merged(this.#store.list(), this.#old?.list() ?? [], this.#cwd);
  }

  listSummaries(): SessionSummary[] {
    return merged(this.#store.listSummaries(), this.#old?.listSummaries() ?? [], this.#cwd);
  }

  delete(id: string): void {
    this.#store.delete(id);
  }

  openVault(id: string, options?: VaultFileOptions): SecretVault {
    return this.#store.openVault(id, options);
  }

  getFilePath(id: string): string {
    return this.#store.getFilePath(id);
  }

  lock(id: string): WriterLock {
    return this.#store.lock(id);
  }

  getLogPath(id: string): string | undefined {
    return this.#store.getLogPath(id);
  }
}

/** The store of `~/.robota`, listing only the sessions of `cwd`. */
export function createProjectSessionStore(cwd: string): ProjectSessionStore {
  return new ProjectSessionStore(cwd);
}

function merged<
  Listed extends { readonly id: string; readonly cwd: string; readonly updatedAt: string },
>(own: readonly Listed[], old: readonly Listed[], cwd: string): Listed[] {
  const ids = new Set(own.map((entry) => entry.id));
  return [...own, ...old.filter((entry) => !ids.has(entry.id))]
    .filter((entry) => entry.cwd === cwd)
    .sort((left, right) => right.updatedAt.localeCompare(left.updatedAt));
}
