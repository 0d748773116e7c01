import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** One request as it is counted. */
export interface LedgerRequest {
  /** 63 bits that stand for the request, whatever transcript it is in; a decimal number. */
  readonly key: string;
  readonly at: number;
  readonly model: string | null;
  readonly cause: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly thinking: number;
  readonly cost: number | null;
  readonly isCopy: boolean;
}

/** A session whose transcript is gone, with what was paid for it. */
export interface DeletedSession {
  readonly type: string;
  readonly id: string;
  readonly path: string;
  readonly cwd: string | null;
  readonly project: string;
  readonly projectKey: string;
  /** Not kept of our own sessions: who deletes one wants its words gone. */
  readonly title: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was first seen to be gone, in milliseconds since 1970. */
  readonly deletedAt: number;
  readonly requests: readonly LedgerRequest[];
}

/**
 * What was paid for sessions whose transcripts their owners have deleted: durable, one line a session, appended
 * before the catalogue forgets it. Of two lines for one file the later wins.
 */
export class DeletionLedger {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Changes whenever the ledger may have changed. */
  stamp(): string {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    return found ? `${found.ino}/${found.size}/${found.mtimeMs}` : '';
  }

  append(sessions: readonly DeletedSession[]): void {
    if (sessions.length === 0) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = openSync(this.#path, 'a', 0o600);
    try {
      // A line that a crash left unfinished must not swallow the next one; empty lines are passed over.
      const lines = sessions.map((session) => JSON.stringify({ version: 1, ...session }));
      appendFileSync(file, `\n${lines.join('\n')}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  read(): DeletedSession[] {
    const sessions = new Map<string, DeletedSession>();
    for (const line of this.#lines()) {
      const session = readLine(line);
      if (session !== undefined)
        sessions.set(`${session.type}\n${session.id}\n${session.path}`, session);
    }
    return [...sessions.values()];
  }

  #lines(): string[] {
    try {
      return readFileSync(this.#path, 'utf8').split('\n');
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return [];
      throw new Error(`Cannot read the usage ledger ${this.#path}`, { cause: error });
    }
  }
}

function readLine(line: string): DeletedSession | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isDeletedSession(value) ? value : undefined;
  } catch {
    // Empty, or torn by a crash: the session was then still in the catalogue, and was written again.
    return undefined;
  }
}

function isDeletedSession(value: unknown): value is DeletedSession {
  const session = value as Partial<DeletedSession> | null;
  return (
    typeof session?.type === 'string' &&
    typeof session.id === 'string' &&
    Array.isArray(session.requests)
  );
}
