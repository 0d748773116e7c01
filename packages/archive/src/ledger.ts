import { LedgerFile } from './ledger-file.ts';

/** One request with its tokens and cost. */
export interface LedgerRequest {
  /** 63-bit hash of the request as a decimal number, equal in every transcript that contains it. */
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

/** A session whose transcript was deleted, with its requests. */
export interface DeletedSession {
  readonly type: string;
  readonly id: string;
  readonly path: string;
  readonly cwd: string | null;
  readonly project: string;
  readonly projectKey: string;
  /** Null for our own sessions, because deleting one must remove its text. */
  readonly title: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When a refresh first missed it, in milliseconds since 1970. */
  readonly deletedAt: number;
  readonly requests: readonly LedgerRequest[];
}

/**
 * Costs of sessions whose transcripts were deleted: durable, one line per session, appended before the catalogue drops
 * it. Of two lines for one file the later wins.
 */
export class DeletionLedger {
  readonly #file: LedgerFile;

  constructor(path: string) {
    this.#file = new LedgerFile(path);
  }

  get path(): string {
    return this.#file.path;
  }

  /** Why the ledger cannot be used, and what to do; undefined if it can be, or is not there yet. */
  findProblem(): string | undefined {
    return this.#file.findProblem();
  }

  /** Changes whenever the ledger may have changed. */
  stamp(): string {
    return this.#file.stamp();
  }

  append(sessions: readonly DeletedSession[]): void {
    if (sessions.length === 0) return;
    const lines = sessions.map((session) => JSON.stringify({ version: 1, ...session }));
    this.#file.append(lines, { isDurable: true });
  }

  /** Nothing of a ledger that cannot be used. */
  read(): DeletedSession[] {
    const sessions = new Map<string, DeletedSession>();
    for (const line of this.#file.lines()) {
      const session = readLine(line);
      if (session !== undefined)
        sessions.set(`${session.type}\n${session.id}\n${session.path}`, session);
    }
    return [...sessions.values()];
  }
}

function readLine(line: string): DeletedSession | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isDeletedSession(value) ? value : undefined;
  } catch {
    // Empty, or torn by a crash; the session was then still in the catalogue and was appended again.
    return undefined;
  }
}

/** Every field is checked, because one wrong value would stop every refresh that restores the session. */
function isDeletedSession(value: unknown): value is DeletedSession {
  if (typeof value !== 'object' || value === null) return false;
  const session = value as Readonly<Record<string, unknown>>;
  return (
    ['type', 'id', 'path', 'project', 'projectKey'].every((name) => isText(session[name])) &&
    ['cwd', 'title'].every((name) => session[name] === null || isText(session[name])) &&
    ['createdAt', 'updatedAt', 'deletedAt'].every((name) => isCount(session[name])) &&
    Array.isArray(session.requests) &&
    session.requests.every(isLedgerRequest)
  );
}

function isLedgerRequest(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const request = value as Readonly<Record<string, unknown>>;
  return (
    isText(request.key) &&
    /^\d{1,19}$/.test(request.key) &&
    BigInt(request.key) < MAX_KEY &&
    isText(request.cause) &&
    (request.model === null || isText(request.model)) &&
    (request.cost === null || isCount(request.cost)) &&
    COUNTS.every((name) => isCount(request[name])) &&
    typeof request.isCopy === 'boolean'
  );
}

const COUNTS = ['at', 'input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'thinking'];
const MAX_KEY = 2n ** 63n;

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
