import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type {
  SavedSessionData,
  SessionListData,
  WorkspaceFile,
} from '@robota-sdk/agent-transcript';
import {
  AgentSessionExistsError,
  AgentSessionLockedError,
  AgentSessionNotFoundError,
  type SessionLock,
  TranscriptConflictError,
  type TranscriptPersistence,
  type TranscriptPiece,
} from '@robota-sdk/agent-transcript/architectures';
import type { ArchiveCipher } from './archive-cipher.ts';
import type { Link, Row, RunStatement } from './link.ts';
import type { Tables } from './tables.ts';
import type { Wakes } from './wakes.ts';

/** Connection and settings of the transcripts in an archive. */
export interface AgentTranscriptsParts {
  readonly link: Link;
  readonly tables: Tables;
  readonly wakes: Wakes;
  /** Transcripts contain secrets; without a cipher they are stored unencrypted. */
  readonly cipher?: ArchiveCipher | undefined;
  /** This node's name. */
  readonly name?: string | undefined;
  /** How long a lock lasts without being renewed; 15,000 ms by default. */
  readonly ttlMs?: number | undefined;
}

const TTL_MS = 15_000;
const MAIN = '';
const RUNNING: ReadonlySet<string> = new Set(['active', 'building-sandbox']);
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * Sessions of other agents' programs in the archive: their raw transcripts in pieces, so that any node that has the
 * program can continue a session that another node drove.
 */
export class AgentTranscripts implements TranscriptPersistence {
  readonly #parts: AgentTranscriptsParts;
  /** Tokens of the locks that this process holds. */
  readonly #held = new Map<string, string>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(parts: AgentTranscriptsParts) {
    this.#parts = parts;
  }

  async listAllSessions(): Promise<readonly SessionListData[]> {
    const rows = await this.#parts.link.query(`${this.#select()} ORDER BY a.id`);
    const latestFirst = (one: SessionListData, other: SessionListData) =>
      (other.lastActivity ?? 0) - (one.lastActivity ?? 0);
    return rows.map(recordOf).sort(latestFirst);
  }

  loadSession(sessionId: string): Promise<SavedSessionData | null> {
    return this.#inOrder(sessionId, async () => {
      const { link, tables } = this.#parts;
      const [row] = await link.query(`${this.#select()} WHERE a.id = $1`, [sessionId]);
      if (!row) return null;
      const sid = Number(row.sid);
      const texts = await this.#texts(sessionId, sid);
      const metas = await link.query(
        `SELECT subagent, meta FROM ${tables.agentTranscript} WHERE sid = $1::bigint ORDER BY subagent`,
        [sid],
      );
      const files = await link.query(
        `SELECT file FROM ${tables.agentFile} WHERE sid = $1::bigint ORDER BY path`,
        [sid],
      );
      const rawTranscript = texts.get(MAIN);
      return {
        ...recordOf(row),
        ...(rawTranscript !== undefined && { rawTranscript }),
        subagents: metas
          .filter(({ subagent }) => subagent !== MAIN)
          .map(({ subagent, meta }) => ({
            id: String(subagent),
            rawTranscript: texts.get(String(subagent)) ?? '',
            ...(typeof meta === 'string' && { rawMeta: meta }),
          })),
        workspaceFiles: files.map(fileOf),
      };
    });
  }

  createSessionRecord(session: SessionListData): Promise<void> {
    return this.#inOrder(session.sessionId, async () => {
      const { link, tables } = this.#parts;
      const rows = await link.query(
        `INSERT INTO ${tables.agentSession} (id, record) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING sid`,
        [session.sessionId, JSON.stringify(session)],
      );
      if (rows.length === 0) throw new AgentSessionExistsError(session.sessionId);
    });
  }

  updateSessionRecord(
    sessionId: string,
    updates: Partial<Omit<SessionListData, 'sessionId'>>,
  ): Promise<void> {
    return this.#change(sessionId, async (run, row) => {
      const record = {
        ...JSON.parse(String(row.record)),
        ...updates,
        sessionId,
      } as SessionListData;
      await run(
        `UPDATE ${this.#parts.tables.agentSession} SET record = $2 WHERE sid = $1::bigint`,
        [Number(row.sid), JSON.stringify(record)],
      );
    });
  }

  appendTranscript(sessionId: string, piece: TranscriptPiece): Promise<void> {
    const subagent = piece.subagentId ?? MAIN;
    if (subagent !== MAIN) assertId(subagent);
    return this.#change(sessionId, async (run, row) => {
      const { agentTranscript } = this.#parts.tables;
      const key = [Number(row.sid), subagent] as const;
      await run(
        `INSERT INTO ${agentTranscript} (sid, subagent) VALUES ($1::bigint, $2) ON CONFLICT DO NOTHING`,
        key,
      );
      const [saved] = await run(
        `SELECT length FROM ${agentTranscript} WHERE sid = $1::bigint AND subagent = $2 FOR UPDATE`,
        key,
      );
      const length = Number(saved?.length);
      const fresh = await this.#newBytes(run, { sessionId, sid: key[0], piece, length });
      if (piece.meta !== undefined) {
        await run(
          `UPDATE ${agentTranscript} SET meta = $3 WHERE sid = $1::bigint AND subagent = $2`,
          [...key, piece.meta],
        );
      }
      if (fresh.length > 0)
        await this.#insert(run, { sessionId, sid: key[0], subagent, length, fresh });
    });
  }

  saveWorkspaceFile(sessionId: string, file: WorkspaceFile): Promise<void> {
    return this.#change(sessionId, async (run, row) => {
      await run(
        `INSERT INTO ${this.#parts.tables.agentFile} (sid, path, file) VALUES ($1::bigint, $2, $3)
         ON CONFLICT (sid, path) DO UPDATE SET file = excluded.file`,
        [Number(row.sid), file.path, JSON.stringify(file)],
      );
    });
  }

  deleteWorkspaceFile(sessionId: string, path: string): Promise<void> {
    return this.#change(sessionId, async (run, row) => {
      await run(
        `DELETE FROM ${this.#parts.tables.agentFile} WHERE sid = $1::bigint AND path = $2`,
        [Number(row.sid), path],
      );
    });
  }

  /** Renewed until released; a dead node's lock expires. */
  async acquireLock(sessionId: string): Promise<SessionLock> {
    const { link, tables, name = hostname(), ttlMs = TTL_MS, wakes } = this.#parts;
    const token = randomUUID();
    const [taken] = await link.query(
      `UPDATE ${tables.agentSession} SET holder = $2::uuid, holder_name = $3, until = clock_timestamp() + $4::float8 * interval '1 ms'
       WHERE id = $1 AND (holder IS NULL OR until < clock_timestamp()) RETURNING sid`,
      [sessionId, token, name, ttlMs],
    );
    if (!taken) throw await this.#lockedError(sessionId);
    this.#held.set(sessionId, token);
    wakes.notify('agents', Number(taken.sid));
    const timer = setInterval(() => {
      const text = `UPDATE ${tables.agentSession} SET until = clock_timestamp() + $3::float8 * interval '1 ms'
        WHERE id = $1 AND holder = $2::uuid`;
      // A missed renewal is repeated before the lock expires.
      link.query(text, [sessionId, token, ttlMs]).catch(() => undefined);
    }, ttlMs / 3).unref();
    return {
      release: async () => {
        clearInterval(timer);
        if (this.#held.get(sessionId) === token) this.#held.delete(sessionId);
        await link.query(
          `UPDATE ${tables.agentSession} SET holder = NULL, until = NULL WHERE id = $1 AND holder = $2::uuid`,
          [sessionId, token],
        );
        wakes.notify('agents', Number(taken.sid));
      },
    };
  }

  deleteSession(sessionId: string): Promise<void> {
    return this.#inOrder(sessionId, async () => {
      const { link, tables, wakes } = this.#parts;
      const { agentSession, agentTranscript, piece, agentFile } = tables;
      await link.transaction(async (run) => {
        const [row] = await run(`DELETE FROM ${agentSession} WHERE id = $1 RETURNING sid`, [
          sessionId,
        ]);
        if (!row) return;
        this.#held.delete(sessionId);
        for (const table of [agentTranscript, piece, agentFile]) {
          await run(`DELETE FROM ${table} WHERE sid = $1::bigint`, [Number(row.sid)]);
        }
        wakes.notify('agents', Number(row.sid));
      });
    });
  }

  #select(): string {
    return `SELECT a.sid, a.record, coalesce(a.until > clock_timestamp(), false) AS is_held FROM ${this.#parts.tables.agentSession} a`;
  }

  /** Applies a change under the row's lock; rejects while another process holds the session's lock. */
  #change(
    sessionId: string,
    change: (run: RunStatement, row: Row) => Promise<void>,
  ): Promise<void> {
    return this.#inOrder(sessionId, async () => {
      const { link, tables, wakes } = this.#parts;
      const sid = await link.transaction(async (run) => {
        const [row] = await run(
          `SELECT sid, record, holder::text, holder_name, coalesce(until > clock_timestamp(), false) AS is_held
           FROM ${tables.agentSession} WHERE id = $1 FOR UPDATE`,
          [sessionId],
        );
        if (!row) throw new AgentSessionNotFoundError(sessionId);
        const own = this.#held.get(sessionId);
        const isLost = own !== undefined && row.holder !== own;
        if (isLost || (row.is_held === true && row.holder !== own)) throw lockedBy(sessionId, row);
        await change(run, row);
        await run(
          `UPDATE ${tables.agentSession} SET version = version + 1, updated_at = clock_timestamp() WHERE sid = $1::bigint`,
          [Number(row.sid)],
        );
        return Number(row.sid);
      });
      wakes.notify('agents', sid);
    });
  }

  /** The bytes of the piece that are not saved yet; those that are must be equal. */
  async #newBytes(
    run: RunStatement,
    saved: { sessionId: string; sid: number; piece: TranscriptPiece; length: number },
  ): Promise<Buffer> {
    const { sessionId, sid, piece, length } = saved;
    const bytes = Buffer.from(piece.text, 'utf8');
    if (piece.offset > length) {
      const reason = `it begins at byte ${piece.offset}, only ${length} are saved`;
      throw new TranscriptConflictError(sessionId, reason);
    }
    const overlap = Math.min(length - piece.offset, bytes.length);
    if (overlap === 0) return bytes;
    const rows = await run(
      `SELECT subagent, start, data, is_sealed FROM ${this.#parts.tables.piece}
       WHERE sid = $1::bigint AND subagent = $2 AND start < $3::bigint
         AND start >= (SELECT max(start) FROM ${this.#parts.tables.piece}
           WHERE sid = $1::bigint AND subagent = $2 AND start <= $4::bigint) ORDER BY start`,
      [sid, piece.subagentId ?? MAIN, piece.offset + overlap, piece.offset],
    );
    const from = piece.offset - Number(rows[0]?.start ?? 0);
    const known = Buffer.concat(rows.map((row) => this.#bytes(sessionId, row)));
    if (!known.subarray(from, from + overlap).equals(bytes.subarray(0, overlap))) {
      throw new TranscriptConflictError(sessionId, `it differs after byte ${piece.offset}`);
    }
    return bytes.subarray(overlap);
  }

  async #insert(
    run: RunStatement,
    saved: { sessionId: string; sid: number; subagent: string; length: number; fresh: Buffer },
  ): Promise<void> {
    const { cipher, tables } = this.#parts;
    const { sessionId, sid, subagent, length, fresh } = saved;
    const data = cipher?.seal(fresh, placeOf(sessionId, subagent, length)) ?? fresh;
    await run(
      `INSERT INTO ${tables.piece} (sid, subagent, start, data, is_sealed)
       VALUES ($1::bigint, $2, $3::bigint, $4::bytea, $5::boolean)`,
      [sid, subagent, length, data, cipher !== undefined],
    );
    await run(
      `UPDATE ${tables.agentTranscript} SET length = length + $4::bigint
       WHERE sid = $1::bigint AND subagent = $2 AND length = $3::bigint`,
      [sid, subagent, length, fresh.length],
    );
  }

  async #texts(sessionId: string, sid: number): Promise<ReadonlyMap<string, string>> {
    const { link, tables } = this.#parts;
    const rows = await link.query(
      `SELECT subagent, start, data, is_sealed FROM ${tables.piece} WHERE sid = $1::bigint ORDER BY subagent, start`,
      [sid],
    );
    const pieces = new Map<string, Buffer[]>();
    for (const row of rows) {
      const subagent = String(row.subagent);
      pieces.set(subagent, [...(pieces.get(subagent) ?? []), this.#bytes(sessionId, row)]);
    }
    return new Map(
      [...pieces].map(([subagent, all]) => [subagent, Buffer.concat(all).toString('utf8')]),
    );
  }

  #bytes(sessionId: string, row: Row): Buffer {
    const data = Buffer.from(row.data as Uint8Array);
    if (row.is_sealed !== true) return data;
    const place = placeOf(sessionId, String(row.subagent), Number(row.start));
    const opened = this.#parts.cipher?.open(data, place);
    if (opened) return opened;
    throw new Error(
      `The transcript of agent session ${sessionId} is enciphered with another key: set ROBOTA_ARCHIVE_KEY to the one that all nodes use.`,
    );
  }

  async #lockedError(sessionId: string): Promise<Error> {
    const [row] = await this.#parts.link.query(
      `SELECT holder_name FROM ${this.#parts.tables.agentSession} WHERE id = $1`,
      [sessionId],
    );
    return row ? lockedBy(sessionId, row) : new AgentSessionNotFoundError(sessionId);
  }

  /** Calls for one session run one after another, even after one has failed. */
  async #inOrder<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result> {
    assertId(sessionId);
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
}

/** A dead node leaves the session marked as active, so an expired lock makes it inactive. */
function recordOf(row: Row): SessionListData {
  const record = JSON.parse(String(row.record)) as SessionListData;
  const isAbandoned = RUNNING.has(record.status) && row.is_held !== true;
  return isAbandoned ? { ...record, status: 'inactive' } : record;
}

/** A file that was too large to store has no content. */
function fileOf({ file }: Row): WorkspaceFile {
  return {
    content: undefined,
    ...(JSON.parse(String(file)) as Partial<WorkspaceFile>),
  } as WorkspaceFile;
}

function placeOf(sessionId: string, subagent: string, start: number): string {
  return `piece:${sessionId}:${subagent}:${start}`;
}

function lockedBy(sessionId: string, { holder_name }: Row): Error {
  return new AgentSessionLockedError(sessionId, 0, `node ${String(holder_name ?? 'unknown')}`);
}

function assertId(id: string): void {
  if (SESSION_ID.test(id)) return;
  const shown = JSON.stringify(id.slice(0, 60));
  const message = `${shown} is not a valid session id: use letters, digits, ".", "_" and "-", at most 128`;
  throw Object.assign(new Error(message), { code: 'invalid_session_id' });
}
