import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isFileMissing } from '../architectures/file-missing.ts';
import type { SavedSessionData, SessionListData, WorkspaceFile } from '../session-data.ts';
import { bytesOf, toWorkspaceFile } from '../workspace/file-content.ts';
import {
  AgentSessionExistsError,
  AgentSessionLockedError,
  AgentSessionNotFoundError,
} from './errors.ts';
import { assertSavedSessionId } from './session-id.ts';
import { acquireFileLock, lockHolderOf, type SessionLock } from './session-lock.ts';
import { byLastActivity } from './session-order.ts';
import { appendToFile } from './transcript-file.ts';
import type { TranscriptPersistence, TranscriptPiece } from './transcript-persistence.ts';

/**
 * Stores each session in its own folder: `session.json`, `transcript.jsonl`, `subagents/<id>.jsonl` and
 * `files/`. Only the process that holds a session's `lock` writes it.
 */
export class FileTranscriptPersistence implements TranscriptPersistence {
  readonly #root: string;
  readonly #onProblem: (error: Error) => void;
  readonly #queues = new Map<string, Promise<unknown>>();

  /** `onProblem` receives errors of records that cannot be listed; a process warning by default. */
  constructor(root: string, onProblem: (error: Error) => void = warn) {
    this.#root = root;
    this.#onProblem = onProblem;
  }

  async listAllSessions(): Promise<readonly SessionListData[]> {
    const names = await namesIn(this.#root);
    const records = await Promise.all(names.map((name) => this.#readListed(name)));
    return records.filter((record) => record !== null).sort(byLastActivity);
  }

  loadSession(sessionId: string): Promise<SavedSessionData | null> {
    return this.#enqueue(sessionId, async () => {
      const record = await this.#readCurrent(sessionId);
      if (record === null) return null;
      const folder = this.#folder(sessionId);
      const rawTranscript = await readText(join(folder, TRANSCRIPT));
      return {
        ...record,
        ...(rawTranscript !== undefined && { rawTranscript }),
        subagents: await readSubagents(join(folder, SUBAGENTS)),
        workspaceFiles: await readFiles(join(folder, FILES)),
      };
    });
  }

  createSessionRecord(session: SessionListData): Promise<void> {
    return this.#enqueue(session.sessionId, async () => {
      const known = await this.#readRecord(session.sessionId);
      if (known !== null) throw new AgentSessionExistsError(session.sessionId);
      await this.#writeRecord(session);
    });
  }

  updateSessionRecord(
    sessionId: string,
    updates: Partial<Omit<SessionListData, 'sessionId'>>,
  ): Promise<void> {
    return this.#change(sessionId, (record) =>
      this.#writeRecord({ ...record, ...updates, sessionId }),
    );
  }

  appendTranscript(sessionId: string, piece: TranscriptPiece): Promise<void> {
    return this.#change(sessionId, async () => {
      const folder = this.#folder(sessionId);
      if (piece.subagentId === undefined) {
        await appendToFile(join(folder, TRANSCRIPT), sessionId, piece);
        return;
      }
      assertSavedSessionId(piece.subagentId);
      const stem = join(folder, SUBAGENTS, piece.subagentId);
      await appendToFile(`${stem}.jsonl`, sessionId, piece);
      if (piece.meta !== undefined) await replaceFile(`${stem}${META}`, piece.meta);
    });
  }

  saveWorkspaceFile(sessionId: string, file: WorkspaceFile): Promise<void> {
    return this.#change(sessionId, async () => {
      const path = this.#workspacePath(sessionId, file.path);
      await remove(path);
      await remove(`${path}${NOT_SAVED}`);
      const bytes = bytesOf(file);
      await replaceFile(bytes === undefined ? `${path}${NOT_SAVED}` : path, bytes ?? '');
    });
  }

  deleteWorkspaceFile(sessionId: string, path: string): Promise<void> {
    return this.#change(sessionId, async () => {
      const saved = this.#workspacePath(sessionId, path);
      await remove(saved);
      await remove(`${saved}${NOT_SAVED}`);
    });
  }

  async acquireLock(sessionId: string): Promise<SessionLock> {
    const record = await this.#readRecord(sessionId);
    if (record === null) throw new AgentSessionNotFoundError(sessionId);
    const lock = await acquireFileLock(join(this.#folder(sessionId), LOCK));
    if ('release' in lock) return lock;
    throw new AgentSessionLockedError(sessionId, lock.pid);
  }

  deleteSession(sessionId: string): Promise<void> {
    return this.#enqueue(sessionId, () =>
      rm(this.#folder(sessionId), { recursive: true, force: true }),
    );
  }

  #change(sessionId: string, change: (record: SessionListData) => Promise<void>): Promise<void> {
    return this.#enqueue(sessionId, async () => {
      const record = await this.#readRecord(sessionId);
      if (record === null) throw new AgentSessionNotFoundError(sessionId);
      await change(record);
    });
  }

  /** Runs calls about one session in sequence; a failure does not affect the next. */
  #enqueue<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#queues.get(sessionId) ?? Promise.resolve();
    const result = before.then(work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#queues.set(sessionId, settled);
    void settled.then(() => {
      if (this.#queues.get(sessionId) === settled) this.#queues.delete(sessionId);
    });
    return result;
  }

  /** One unreadable record must not hide the others; loading it reports the error. */
  async #readListed(name: string): Promise<SessionListData | null> {
    try {
      return await this.#readCurrent(name);
    } catch (error) {
      this.#onProblem(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  }

  /** A crashed process could not record that the session is no longer active. */
  async #readCurrent(sessionId: string): Promise<SessionListData | null> {
    const record = await this.#readRecord(sessionId);
    if (record === null || !RUNNING_STATUSES.has(record.status)) return record;
    const holder = await lockHolderOf(join(this.#folder(sessionId), LOCK));
    return holder === undefined ? { ...record, status: 'inactive' } : record;
  }

  async #readRecord(sessionId: string): Promise<SessionListData | null> {
    const path = join(this.#folder(sessionId), RECORD);
    const text = await readText(path);
    if (text === undefined) return null;
    try {
      const { version: _version, ...record } = JSON.parse(text) as SessionListData & Versioned;
      return record;
    } catch (error) {
      throw new Error(`Cannot read the record of agent session ${sessionId} in ${path}`, {
        cause: error,
      });
    }
  }

  async #writeRecord(record: SessionListData): Promise<void> {
    const text = JSON.stringify({ version: 1, ...record }, null, 2);
    await replaceFile(join(this.#folder(record.sessionId), RECORD), `${text}\n`);
  }

  #folder(sessionId: string): string {
    assertSavedSessionId(sessionId);
    return join(this.#root, sessionId);
  }

  #workspacePath(sessionId: string, path: string): string {
    const root = join(this.#folder(sessionId), FILES);
    const saved = join(root, path);
    if (saved.startsWith(root + sep)) return saved;
    throw new Error(`Cannot save workspace file "${path}": it is outside the workspace`);
  }
}

interface Versioned {
  readonly version?: number;
}

async function readSubagents(folder: string): Promise<SavedSessionData['subagents']> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.jsonl'));
  return Promise.all(
    names.map(async (name) => {
      const id = name.slice(0, -'.jsonl'.length);
      const rawMeta = await readText(join(folder, `${id}${META}`));
      const rawTranscript = await readText(join(folder, name));
      return { id, rawTranscript: rawTranscript ?? '', ...(rawMeta !== undefined && { rawMeta }) };
    }),
  );
}

async function readFiles(folder: string): Promise<WorkspaceFile[]> {
  const names = await namesIn(folder, { recursive: true });
  const files = await Promise.all(
    names.map(async (name) => {
      const bytes = await readBytes(join(folder, name));
      if (bytes === undefined) return [];
      const path = name.split(sep).join('/');
      if (!path.endsWith(NOT_SAVED)) return [toWorkspaceFile(path, bytes)];
      return [{ path: path.slice(0, -NOT_SAVED.length), content: undefined }];
    }),
  );
  return files.flat().sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Sorted names in a folder; empty if it does not exist. */
async function namesIn(folder: string, options: { recursive?: boolean } = {}): Promise<string[]> {
  try {
    return (await readdir(folder, { ...options, encoding: 'utf8' })).sort();
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot list ${folder}`, { cause: error });
  }
}

async function readText(path: string): Promise<string | undefined> {
  return (await readBytes(path))?.toString('utf8');
}

async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isFileMissing(error) || isFolder(error)) return undefined;
    throw new Error(`Cannot read ${path}`, { cause: error });
  }
}

async function replaceFile(path: string, text: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, text, { mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new Error(`Cannot write ${path}`, { cause: error });
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

function isFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EISDIR';
}

function warn(problem: Error): void {
  process.emitWarning(problem);
}

const RUNNING_STATUSES: ReadonlySet<string> = new Set(['active', 'building-sandbox']);
const LOCK = 'lock';
const RECORD = 'session.json';
const TRANSCRIPT = 'transcript.jsonl';
const SUBAGENTS = 'subagents';
const FILES = 'files';
const META = '.meta.json';
/** Suffix of the placeholder for a file that was too large. */
const NOT_SAVED = '.robota-not-kept';
