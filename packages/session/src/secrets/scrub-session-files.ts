import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createRedactor, type Redactor } from '@robota-sdk/agent-core/log';
import { readLinesSync } from '../log/log-lines.ts';
import { PayloadReader } from '../log/payload-files.ts';
import { findOpenWriter } from '../records/open-writers.ts';
import { readIfPresent, writeWhole } from '../records/private-files.ts';
import { deleteTreeOf, snapshotFolders } from '../records/snapshot-folders.ts';
import { acquireWriterLock, type WriterLock } from '../records/writer-lock.ts';
import { sessionError } from '../session-error.ts';
import { LineScrubber } from './scrub-lines.ts';
import { PayloadScrubber } from './scrub-payloads.ts';
import { VAULT_SUFFIX } from './vault-file.ts';

/** Paths of a session's files; missing files are skipped. */
export interface SessionFiles {
  readonly id: string;
  readonly record: string;
  readonly log: string;
}

/** Result of scrubbing the files of a session. */
export interface ScrubResult {
  /** Number of replaced secrets. */
  readonly replaced: number;
  /** Number of files rewritten or removed. */
  readonly files: number;
  /** Whether a vault existed; it is removed. */
  readonly hadVault: boolean;
}

/**
 * Removes all secrets from the files of a session, of any version, and deletes its vault and those of its subagents.
 * Fails with `session_locked` while a process writes to it: text appended to a file that is being replaced would be
 * lost, and a file kept open would still contain secrets.
 */
export function scrubSessionFiles(files: SessionFiles): ScrubResult {
  const locks = lockAll(files);
  try {
    refuseOpenWriters(files);
    return new SessionScrub(files).run();
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** The lock is next to the record, or next to the log if there is no record. */
function lockAll({ id, record, log }: SessionFiles): WriterLock[] {
  const places = [record.replace(/\.json$/, '.lock'), log.replace(/\.jsonl$/, '.lock')];
  const locks: WriterLock[] = [];
  try {
    for (const place of new Set(places)) {
      if (existsSync(dirname(place))) locks.push(acquireWriterLock(place, id));
    }
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}

/** A process may write without a lock, or to a removed file. */
function refuseOpenWriters({ id, record, log }: SessionFiles): void {
  for (const file of [log, ...subagentLogs(log, id), record]) {
    const writer = findOpenWriter(file);
    if (!writer) continue;
    const which = writer.isOld ? 'an earlier version of its file' : 'its file';
    throw sessionError(
      'session_locked',
      `Session ${id} is being written: process ${writer.pid} has ${which} ${file} open. End it, then scrub again.`,
    );
  }
}

function subagentLogs(log: string, id: string): string[] {
  const folder = join(dirname(log), id, 'subagents');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
}

class SessionScrub {
  readonly #files: SessionFiles;
  readonly #redactor: Redactor;
  #replaced = 0;
  #changed = 0;
  #hadVault = false;

  constructor(files: SessionFiles) {
    this.#files = files;
    const count = () => {
      this.#replaced += 1;
    };
    const salt = randomBytes(16).toString('hex');
    this.#redactor = createRedactor({ salt, onSecret: count, onNamedSecret: count });
  }

  run(): ScrubResult {
    const { record, log, id } = this.#files;
    const saved = readRecord(record);
    // Until the log is replaced, the record must not contain a position in it.
    if (saved) this.#saveRecord(record, saved, undefined);
    const bytes = this.#scrubLog(log, id, saved?.log?.bytes);
    if (saved) this.#saveRecord(record, saved, bytes);
    this.#scrubLines(record.replace(/\.json$/, '.tail.jsonl'));
    this.#removeVault(record.replace(/\.json$/, VAULT_SUFFIX));
    for (const file of subagentLogs(log, id)) this.#scrubLog(file, basename(file, '.jsonl'));
    this.#removeSnapshots(log, id, saved?.cwd);
    // Rebuilt from the records by the next listing.
    rmSync(join(dirname(record), '.summaries.index'), { force: true });
    return { replaced: this.#replaced, files: this.#changed, hadVault: this.#hadVault };
  }

  /** Returns the offset in the new log that corresponds to `position` in the old one. */
  #scrubLog(file: string, id: string, position?: number): number | undefined {
    this.#removeVault(file.replace(/\.jsonl$/, VAULT_SUFFIX));
    if (!existsSync(file)) return undefined;
    const redactor = this.#redactor;
    const payloads = new PayloadScrubber(dirname(file), id, redactor);
    const reader = new PayloadReader(file);
    const scrubber = new LineScrubber({
      redactor,
      resolve: (value) => reader.resolve(value),
      relink: (line) => payloads.relink(line),
    });
    const place = this.#rewrite(file, scrubber, position);
    this.#changed += payloads.removeUnused();
    return place;
  }

  #scrubLines(file: string): void {
    if (!existsSync(file)) return;
    const same = <Value>(value: Value) => value;
    this.#rewrite(
      file,
      new LineScrubber({ redactor: this.#redactor, resolve: same, relink: same }),
    );
  }

  #rewrite(file: string, scrubber: LineScrubber, position = -1): number | undefined {
    const draft = new DraftFile(file);
    let read = 0;
    let place: number | undefined;
    try {
      for (const line of readLinesSync(file)) {
        if (read === position) {
          draft.write(scrubber.flush());
          place = draft.size;
        }
        read += Buffer.byteLength(line) + 1;
        if (line !== '') draft.write(scrubber.push(line));
      }
      draft.write(scrubber.flush());
      if (place === undefined && read >= position && position >= 0) place = draft.size;
      draft.finish();
      this.#changed += 1;
    } finally {
      draft.discard();
    }
    return place;
  }

  #saveRecord(file: string, { log, ...record }: SavedRecord, bytes: number | undefined): void {
    const before = this.#replaced;
    const clean = this.#redactor.redactValue(record);
    // The second save finds the same secrets again.
    if (bytes !== undefined) this.#replaced = before;
    else this.#changed += 1;
    writeWhole(
      file,
      JSON.stringify({ ...clean, ...(bytes !== undefined && { log: { ...log, bytes } }) }),
    );
  }

  /** Snapshots are exact copies and are removed, so a scrubbed session can no longer restore files. */
  #removeSnapshots(log: string, id: string, cwd: unknown): void {
    const { session } = snapshotFolders(dirname(log), id, '');
    if (existsSync(session)) {
      this.#changed += 1;
      rmSync(session, { recursive: true });
    }
    deleteTreeOf(dirname(log), typeof cwd === 'string' ? cwd : undefined);
  }

  #removeVault(file: string): void {
    if (!existsSync(file)) return;
    this.#hadVault = true;
    this.#changed += 1;
    rmSync(file);
  }
}

/** Writes a file that replaces another once it is complete. */
class DraftFile {
  readonly #path: string;
  readonly #draft: string;
  #descriptor: number | undefined;
  #size = 0;

  constructor(path: string) {
    this.#path = path;
    this.#draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    this.#descriptor = openSync(this.#draft, 'wx', 0o600);
  }

  get size(): number {
    return this.#size;
  }

  write(lines: readonly string[]): void {
    if (lines.length === 0 || this.#descriptor === undefined) return;
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    this.#size += bytes.length;
  }

  finish(): void {
    if (this.#descriptor === undefined) return;
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    renameSync(this.#draft, this.#path);
  }

  /** Does nothing after `finish`. */
  discard(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#draft, { force: true });
  }
}

interface SavedRecord {
  readonly log?: { readonly n: number; readonly bytes: number };
  readonly [field: string]: unknown;
}

/** Undefined if there is none; a damaged record is an error, because its content is unknown. */
function readRecord(file: string): SavedRecord | undefined {
  const text = readIfPresent(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as SavedRecord;
  } catch (error) {
    throw new Error(`Cannot take the secrets out of ${file}: it is not a session record.`, {
      cause: error,
    });
  }
}
