import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reviveDatesIn } from '../revive-dates.ts';
import type { SecretVault } from '../secrets/secret-vault.ts';
import { VAULT_SUFFIX, VaultFile, type VaultFileOptions } from '../secrets/vault-file.ts';
import { hasErrorCode, isFileMissing, sessionError } from '../session-error.ts';
import { packRecord, unpackRecord } from './checkpoint.ts';
import { foldOldTail } from './old-record-tail.ts';
import {
  fileStamp,
  makePrivateDirectory,
  readIfPresent,
  robotaHome,
  writeWhole,
} from './private-files.ts';
import { type FellowFold, openSavedSession, type SavedSession } from './saved-session.ts';
import { assertSessionId, isSessionId } from './session-id.ts';
import type { SessionRecord, SessionSummary } from './session-record.ts';
import type { SessionRecordStore } from './session-record-store.ts';
import { cwdIn, deleteTreeOf } from './snapshot-folders.ts';
import { listRecordSummaries } from './summary-index.ts';
import { acquireWriterLock, type WriterLock } from './writer-lock.ts';

/** Options of a session store. */
export interface SessionStoreOptions {
  /** Directory of session logs: sessions are then also found by their log, and `delete` removes it. */
  readonly logDir?: string | undefined;
}

const RECORD_VERSION = 2;
const RECORD_SUFFIX = '.json';
const LOG_SUFFIX = '.jsonl';
const OLD_TAIL_SUFFIX = '.tail.jsonl';

/** Stores each session as a JSON file: complete without a log, else as a checkpoint of its log. */
export class SessionStore implements SessionRecordStore {
  readonly #baseDir: string | undefined;
  readonly #logDir: string | undefined;

  constructor(baseDir?: string, options: SessionStoreOptions = {}) {
    this.#baseDir = baseDir;
    this.#logDir = options.logDir;
  }

  save(record: SessionRecord): void {
    assertSessionId(record.id);
    makePrivateDirectory(this.#directory());
    const text = packRecord({ ...record, version: RECORD_VERSION });
    writeWhole(this.getFilePath(record.id), text);
    rmSync(this.#oldTailPath(record.id), { force: true });
  }

  load(id: string): SessionRecord | undefined {
    if (this.#logDirectory() === undefined) return this.#read(id);
    return this.open(id)?.record;
  }

  /** The session, brought up to date from its log; undefined when there is neither record nor log. */
  open(id: string, fellows: readonly FellowFold[] = []): SavedSession | undefined {
    const logFile = this.getLogPath(id);
    let record: SessionRecord | undefined;
    try {
      record = this.#read(id);
    } catch (error) {
      // A damaged record can be rebuilt from the log.
      if (!hasErrorCode(error, 'corrupt_record') || logFile === undefined) throw error;
      if (fileStamp(logFile) === '') throw error;
    }
    return openSavedSession({ id, record, logFile, fellows });
  }

  /** Newest first; unreadable records are left out. */
  list(): SessionRecord[] {
    return this.#ids()
      .flatMap((id) => this.#loadReadable(id) ?? [])
      .sort((left, right) => compareNewest(left, right));
  }

  /** Summaries for lists, from an index that is updated for changed files. */
  listSummaries(): SessionSummary[] {
    const directory = this.#directory();
    const files = this.#ids().map((id) => {
      const log = this.getLogPath(id);
      const record = fileStamp(this.getFilePath(id));
      return { id, stamp: `${record}|${log === undefined ? '' : fileStamp(log)}` };
    });
    return listRecordSummaries(directory, files, (id) => this.#loadReadable(id)).sort(
      compareNewest,
    );
  }

  delete(id: string): void {
    assertSessionId(id);
    const cwd = cwdIn(this.getFilePath(id));
    rmSync(this.getFilePath(id), { force: true });
    rmSync(this.#oldTailPath(id), { force: true });
    rmSync(join(this.#directory(), `${id}${VAULT_SUFFIX}`), { force: true });
    this.#removeStaleLock(id);
    const logDir = this.#logDirectory();
    if (logDir === undefined) return;
    rmSync(join(logDir, `${id}${LOG_SUFFIX}`), { force: true });
    rmSync(this.getVaultPath(id), { force: true });
    rmSync(join(logDir, `${id}.payloads`), { recursive: true, force: true });
    rmSync(join(logDir, id), { recursive: true, force: true });
    deleteTreeOf(logDir, cwd);
  }

  getFilePath(id: string): string {
    assertSessionId(id);
    return join(this.#directory(), `${id}${RECORD_SUFFIX}`);
  }

  getLogPath(id: string): string | undefined {
    assertSessionId(id);
    const logDir = this.#logDirectory();
    return logDir === undefined ? undefined : join(logDir, `${id}${LOG_SUFFIX}`);
  }

  openVault(id: string, options?: VaultFileOptions): SecretVault {
    return new VaultFile(this.getVaultPath(id), options);
  }

  /** Next to the log, or next to the record if there is no log. */
  getVaultPath(id: string): string {
    assertSessionId(id);
    return join(this.#logDirectory() ?? this.#directory(), `${id}${VAULT_SUFFIX}`);
  }

  lock(id: string): WriterLock {
    assertSessionId(id);
    makePrivateDirectory(this.#directory());
    return acquireWriterLock(join(this.#directory(), `${id}.lock`), id);
  }

  #read(id: string): SessionRecord | undefined {
    const text = readIfPresent(this.getFilePath(id));
    if (text === undefined) return undefined;
    const { version: _version, revision, ...saved } = parseRecord(text, id);
    const record = unpackRecord(saved as SessionRecord);
    const folded = foldOldTail(record, revision, this.#oldTailPath(id));
    reviveDatesIn(folded.messages);
    // Records from before the timeline have no history; the migration script adds it.
    if (folded.history) reviveDatesIn(folded.history);
    return folded;
  }

  /** A live writer keeps its lock; a stale one is removed with the record. */
  #removeStaleLock(id: string): void {
    if (fileStamp(join(this.#directory(), `${id}.lock`)) === '') return;
    try {
      this.lock(id).release();
    } catch (error) {
      if (!hasErrorCode(error, 'session_locked')) throw error;
    }
  }

  /** Undefined for an unreadable record, and for a log without any message. */
  #loadReadable(id: string): SessionRecord | undefined {
    try {
      const record = this.load(id);
      const isEmpty = record?.history?.length === 0 && record.name === undefined;
      return isEmpty && fileStamp(this.getFilePath(id)) === '' ? undefined : record;
    } catch (error) {
      if (hasErrorCode(error, 'corrupt_record') || isFileProblem(error)) return undefined;
      throw error;
    }
  }

  /** Sessions with a record or only a log. */
  #ids(): string[] {
    const logDir = this.#logDirectory();
    const ids = new Set([
      ...idsAmong(namesIn(this.#directory()), RECORD_SUFFIX),
      ...(logDir === undefined ? [] : idsAmong(namesIn(logDir), LOG_SUFFIX)),
    ]);
    return [...ids];
  }

  #directory(): string {
    return this.#baseDir ?? join(robotaHome(), 'sessions');
  }

  #logDirectory(): string | undefined {
    return this.#logDir ?? (this.#baseDir ? undefined : join(robotaHome(), 'logs'));
  }

  #oldTailPath(id: string): string {
    assertSessionId(id);
    return join(this.#directory(), `${id}${OLD_TAIL_SUFFIX}`);
  }
}

/** Whether the system refused to read: a file of another user, a folder, a broken disk. */
function isFileProblem(error: unknown): boolean {
  const { cause, syscall } = error as { readonly cause?: unknown; readonly syscall?: unknown };
  return typeof syscall === 'string' || (cause instanceof Error && isFileProblem(cause));
}

function parseRecord(text: string, id: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw corruptRecord(id, { cause: error });
  }
  const record = value as Partial<SessionRecord> | null;
  if (typeof record !== 'object' || record === null || !Array.isArray(record.messages)) {
    throw corruptRecord(id);
  }
  return { ...record };
}

function corruptRecord(id: string, options: ErrorOptions = {}): Error {
  return sessionError(
    'corrupt_record',
    `Cannot read the record of session ${id}: the file is not a session record. Recover it from its log or delete it.`,
    options,
  );
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot list the sessions in ${directory}`, { cause: error });
  }
}

function idsAmong(names: readonly string[], suffix: string): string[] {
  return names
    .filter((name) => name.endsWith(suffix) && !name.endsWith(OLD_TAIL_SUFFIX))
    .map((name) => name.slice(0, -suffix.length))
    .filter(isSessionId);
}

function compareNewest(
  left: Pick<SessionRecord, 'updatedAt'>,
  right: Pick<SessionRecord, 'updatedAt'>,
): number {
  if (left.updatedAt === right.updatedAt) return 0;
  return left.updatedAt < right.updatedAt ? 1 : -1;
}
