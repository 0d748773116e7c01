import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reviveDates } from '../revive-dates.ts';
import { hasErrorCode, isFileMissing, sessionError } from '../session-error.ts';
import {
  fileStamp,
  makePrivateDirectory,
  readIfPresent,
  robotaHome,
  writeWhole,
} from './private-files.ts';
import { appendTail, foldTail } from './record-tail.ts';
import {
  changedFields,
  extendsSaved,
  rememberArray,
  rememberFields,
  type SavedState,
} from './saved-state.ts';
import { assertSessionId, isSessionId } from './session-id.ts';
import type { SessionRecord, SessionSummary } from './session-record.ts';
import type { SessionRecordStore } from './session-record-store.ts';
import { listRecordSummaries } from './summary-index.ts';
import { acquireWriterLock, type WriterLock } from './writer-lock.ts';

export interface SessionStoreOptions {
  /** Where session logs lie; with it `delete` removes log, payloads and subagent logs too. */
  readonly logDir?: string;
}

const RECORD_VERSION = 1;
/** Below this size a record is simply rewritten. */
const WHOLE_REWRITE_BYTES = 64 * 1024;
/** The share of a record that may lie in its tail before it is rewritten. */
const TAIL_SHARE = 0.25;

/** Keeps each session as a JSON file; long ones grow by appending beside it. */
export class SessionStore implements SessionRecordStore {
  readonly #baseDir: string | undefined;
  readonly #logDir: string | undefined;
  readonly #saved = new Map<string, SavedState>();

  constructor(baseDir?: string, options: SessionStoreOptions = {}) {
    this.#baseDir = baseDir;
    this.#logDir = options.logDir;
  }

  save(record: SessionRecord): void {
    assertSessionId(record.id);
    makePrivateDirectory(this.#directory());
    const saved = this.#saved.get(record.id);
    if (saved && this.#canAppend(record, saved)) this.#append(record, saved);
    else this.#rewrite(record);
  }

  load(id: string): SessionRecord | undefined {
    const path = this.getFilePath(id);
    const text = readIfPresent(path);
    if (text === undefined) return undefined;
    const { version: _version, revision, ...record } = parseRecord(text, id);
    const folded = foldTail(record as SessionRecord, revision, this.#tailPath(id));
    folded.messages = reviveDates(folded.messages);
    // Records older than the timeline have none; the migration script gives them one.
    if (folded.history) folded.history = reviveDates(folded.history);
    return folded;
  }

  /** Newest first; unreadable records are left out. */
  list(): SessionRecord[] {
    return this.#ids()
      .flatMap((id) => this.#loadReadable(id) ?? [])
      .sort((left, right) => compareNewest(left, right));
  }

  /** What a list shows, from an index that is rebuilt wherever a file has changed. */
  listSummaries(): SessionSummary[] {
    const directory = this.#directory();
    const names = this.#names();
    const present = new Set(names);
    // Most records have no tail, and every look at the disk counts where there are thousands.
    const files = idsAmong(names).map((id) => {
      const tail = present.has(`${id}${TAIL_SUFFIX}`) ? fileStamp(this.#tailPath(id)) : '';
      return { id, stamp: `${fileStamp(join(directory, `${id}.json`))}|${tail}` };
    });
    return listRecordSummaries(directory, files, (id) => this.#loadReadable(id)).sort(
      compareNewest,
    );
  }

  delete(id: string): void {
    assertSessionId(id);
    this.#saved.delete(id);
    rmSync(this.getFilePath(id), { force: true });
    rmSync(this.#tailPath(id), { force: true });
    this.#removeStaleLock(id);
    const logDir = this.#logDir ?? (this.#baseDir ? undefined : join(robotaHome(), 'logs'));
    if (logDir === undefined) return;
    rmSync(join(logDir, `${id}.jsonl`), { force: true });
    rmSync(join(logDir, `${id}.payloads`), { recursive: true, force: true });
    rmSync(join(logDir, id), { recursive: true, force: true });
  }

  getFilePath(id: string): string {
    assertSessionId(id);
    return join(this.#directory(), `${id}.json`);
  }

  lock(id: string): WriterLock {
    assertSessionId(id);
    makePrivateDirectory(this.#directory());
    return acquireWriterLock(join(this.#directory(), `${id}.lock`), id);
  }

  settle(id: string): void {
    if (fileStamp(this.#tailPath(id)) === '') return;
    const record = this.load(id);
    if (record) this.#rewrite(record);
  }

  /** A live writer keeps its lock; one left by a crash goes with the record. */
  #removeStaleLock(id: string): void {
    if (fileStamp(join(this.#directory(), `${id}.lock`)) === '') return;
    try {
      this.lock(id).release();
    } catch (error) {
      if (!hasErrorCode(error, 'session_locked')) throw error;
    }
  }

  #canAppend(record: SessionRecord, saved: SavedState): boolean {
    if (saved.wholeBytes + saved.tailBytes < WHOLE_REWRITE_BYTES) return false;
    if (saved.tailBytes > saved.wholeBytes * TAIL_SHARE) return false;
    if (saved.stamp !== this.#stamp(record.id)) return false;
    return (
      extendsSaved(saved.messages, record.messages) &&
      extendsSaved(saved.history, record.history ?? [])
    );
  }

  #append(record: SessionRecord, saved: SavedState): void {
    const fields = rememberFields(record);
    const bytes = appendTail(this.#tailPath(record.id), {
      revision: saved.revision,
      messagesFrom: saved.messages.length,
      historyFrom: saved.history.length,
      messages: record.messages.slice(saved.messages.length),
      history: (record.history ?? []).slice(saved.history.length),
      ...changedFields(saved.fields, fields),
    });
    this.#remember(record, { ...saved, fields, tailBytes: saved.tailBytes + bytes });
  }

  #rewrite(record: SessionRecord): void {
    const revision = randomBytes(4).toString('hex');
    const text = JSON.stringify({ ...record, version: RECORD_VERSION, revision });
    writeWhole(this.getFilePath(record.id), text);
    rmSync(this.#tailPath(record.id), { force: true });
    const fields = rememberFields(record);
    this.#remember(record, { revision, wholeBytes: text.length, tailBytes: 0, fields });
  }

  #remember(
    record: SessionRecord,
    sizes: Pick<SavedState, 'revision' | 'wholeBytes' | 'tailBytes' | 'fields'>,
  ): void {
    this.#saved.set(record.id, {
      revision: sizes.revision,
      wholeBytes: sizes.wholeBytes,
      tailBytes: sizes.tailBytes,
      fields: sizes.fields,
      messages: rememberArray(record.messages),
      history: rememberArray(record.history ?? []),
      stamp: this.#stamp(record.id),
    });
  }

  #stamp(id: string): string {
    return `${fileStamp(this.getFilePath(id))}|${fileStamp(this.#tailPath(id))}`;
  }

  #loadReadable(id: string): SessionRecord | undefined {
    try {
      return this.load(id);
    } catch (error) {
      if (hasErrorCode(error, 'corrupt_record')) return undefined;
      throw error;
    }
  }

  #ids(): string[] {
    return idsAmong(this.#names());
  }

  #names(): string[] {
    try {
      return readdirSync(this.#directory());
    } catch (error) {
      if (isFileMissing(error)) return [];
      throw new Error(`Cannot list the sessions in ${this.#directory()}`, { cause: error });
    }
  }

  #directory(): string {
    return this.#baseDir ?? join(robotaHome(), 'sessions');
  }

  #tailPath(id: string): string {
    assertSessionId(id);
    return join(this.#directory(), `${id}${TAIL_SUFFIX}`);
  }
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

const TAIL_SUFFIX = '.tail.jsonl';

function idsAmong(names: readonly string[]): string[] {
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter(isSessionId);
}

function compareNewest(
  left: Pick<SessionRecord, 'updatedAt'>,
  right: Pick<SessionRecord, 'updatedAt'>,
): number {
  if (left.updatedAt === right.updatedAt) return 0;
  return left.updatedAt < right.updatedAt ? 1 : -1;
}
