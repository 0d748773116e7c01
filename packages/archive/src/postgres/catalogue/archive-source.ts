import { PayloadReader } from '@robota-sdk/agent-session';
import { type IndexedSession, readSession } from '../../reading/session-reading.ts';
import { showLine } from '../../reading/title.ts';
import type { Row } from '../link.ts';
import type { PostgresArchive } from '../postgres-archive.ts';
import { FetchedPayloads } from '../saved-log.ts';
import {
  AGENTS_SOURCE,
  ARCHIVE_PATH,
  ARCHIVE_SOURCE,
  type CatalogueSource,
  type ChangedSession,
  type SourceChanges,
} from './sources.ts';

const PAGE_LINES = 2_000;
/** How often all sessions are checked, in case a notification was lost; otherwise only those written to. */
const CHECK_ALL_MS = 60_000;
/** A session being written is read again after this multiple of the time that reading it took. */
const REST_TIMES = 4;
const MIN_REST_MS = 500;
const MAX_FOUND = 500;

/** Sessions of the archive: those that this node runs, and those that no live node runs. */
export class ArchiveSource implements CatalogueSource {
  readonly turn: string;
  readonly #archive: PostgresArchive;
  readonly #node: string;
  readonly #dirty = new Set<number>();
  readonly #restUntil = new Map<number, number>();
  readonly #off: () => void;
  #checkedAllAt = Number.NEGATIVE_INFINITY;
  #areAgentsDirty = true;

  constructor(archive: PostgresArchive, node: string) {
    this.#archive = archive;
    this.#node = node;
    this.turn = `archive:${node}`;
    this.#off = archive.wakes.on(({ kind, sid }) => {
      if (kind === 'lines' || kind === 'claim') this.#dirty.add(sid);
      if (kind === 'agents') this.#areAgentsDirty = true;
    });
  }

  /** Whether there may be something to read now. */
  isStale(): boolean {
    if (this.#areAgentsDirty || this.#isTimeForAll()) return true;
    const now = performance.now();
    return [...this.#dirty].some((sid) => (this.#restUntil.get(sid) ?? 0) <= now);
  }

  close(): void {
    this.#off();
  }

  async look(): Promise<SourceChanges> {
    const now = performance.now();
    const isAll = this.#isTimeForAll();
    const rested = [...this.#dirty].filter((sid) => (this.#restUntil.get(sid) ?? 0) <= now);
    for (const sid of rested) this.#dirty.delete(sid);
    if (isAll) this.#checkedAllAt = now;
    const own = isAll || rested.length > 0 ? await this.#own(isAll ? undefined : rested) : [];
    const agents = isAll || this.#areAgentsDirty ? await this.#agents() : [];
    const gone = isAll || this.#areAgentsDirty ? await this.#gone() : [];
    this.#areAgentsDirty = false;
    return { changed: [...own, ...agents], gone, moved: [], taken: [] };
  }

  #isTimeForAll(): boolean {
    return performance.now() - this.#checkedAllAt >= CHECK_ALL_MS;
  }

  /**
   * The node that runs a session writes it into the catalogue; if none does, any node may. Sessions of other agents are
   * read from their transcripts.
   */
  async #own(sids: readonly number[] | undefined): Promise<ChangedSession[]> {
    const { session, node, catalogueSession, agentSession } = this.#archive.tables;
    const rows = await this.#archive.catalogueLink.query(
      `SELECT s.sid, s.id, s.last_seq, s.card, s.workspace, s.updated_at FROM ${session} s
       LEFT JOIN ${catalogueSession} c ON c.source = '${ARCHIVE_SOURCE}' AND c.sid = s.sid
       LEFT JOIN ${node} n ON n.id = s.owner AND n.until > clock_timestamp()
       WHERE s.last_seq > 0 AND c.version IS DISTINCT FROM s.last_seq::text AND (n.id IS NULL OR n.name = $1)
         AND NOT EXISTS (SELECT FROM ${agentSession} a WHERE a.id = s.id)
         ${sids === undefined ? '' : 'AND s.sid = ANY($2::bigint[])'} ORDER BY s.updated_at LIMIT ${MAX_FOUND}`,
      sids === undefined ? [this.#node] : [this.#node, sids],
    );
    if (rows.length === MAX_FOUND) this.#checkedAllAt = Number.NEGATIVE_INFINITY;
    return rows.map((row) => this.#changed(row));
  }

  #changed(row: Row): ChangedSession {
    const sid = Number(row.sid);
    const id = String(row.id);
    const card = JSON.parse(String(row.card)) as Readonly<Record<string, unknown>>;
    const name = typeof card.name === 'string' ? showLine(card.name) : undefined;
    return {
      session: {
        source: ARCHIVE_SOURCE,
        sid,
        type: 'robota',
        id,
        path: `${ARCHIVE_PATH}${id}`,
        parts: [],
        version: String(row.last_seq),
        updatedAt: (row.updated_at as Date).getTime(),
        cwd: typeof row.workspace === 'string' ? row.workspace : undefined,
        name,
      },
      read: async () => {
        // Loaded before the measurement, because it happens only once.
        await import('@robota-sdk/agent-transcript/architectures');
        const startedAt = performance.now();
        const reading = await this.#readLog(sid, id, Number(row.last_seq));
        const rest = Math.max(MIN_REST_MS, (performance.now() - startedAt) * REST_TIMES);
        this.#restUntil.set(sid, performance.now() + rest);
        return reading;
      },
    };
  }

  async #readLog(sid: number, id: string, last: number): Promise<IndexedSession> {
    const { registeredAgent } = await import('@robota-sdk/agent-transcript/architectures');
    const { catalogueLink, tables, logs } = this.#archive;
    const reader = registeredAgent('robota').parser.start();
    const payloads = new FetchedPayloads(catalogueLink, tables, sid);
    const resolver = new PayloadReader(({ sha256 }) => payloads.get(sha256));
    for (let place = 0; place < last; ) {
      const lines = await logs.lines(id, place, Math.min(PAGE_LINES, last - place));
      if (lines.length === 0) break;
      await payloads.fetch(lines.map(({ text }) => text));
      for (const { text } of lines) reader.line(restored(text, resolver), 0);
      place = lines.at(-1)?.place ?? last;
    }
    return readSession(reader.end());
  }

  async #agents(): Promise<ChangedSession[]> {
    const { agentSession, catalogueSession } = this.#archive.tables;
    const rows = await this.#archive.catalogueLink.query(
      `SELECT a.sid, a.id, a.version, a.record, a.updated_at FROM ${agentSession} a
       LEFT JOIN ${catalogueSession} c ON c.source = '${AGENTS_SOURCE}' AND c.sid = a.sid
       WHERE c.version IS DISTINCT FROM a.version::text AND (a.until IS NULL OR a.until < clock_timestamp()
         OR a.holder_name = $1) ORDER BY a.updated_at LIMIT ${MAX_FOUND}`,
      [this.#node],
    );
    return rows.map((row) => this.#changedAgent(row));
  }

  #changedAgent(row: Row): ChangedSession {
    const ours = String(row.id);
    const record = JSON.parse(String(row.record)) as {
      readonly type: string;
      readonly metadata?: Readonly<Record<string, unknown>>;
    };
    const { agentSessionId, workspaceDirectory } = record.metadata ?? {};
    return {
      session: {
        source: AGENTS_SOURCE,
        sid: Number(row.sid),
        type: record.type,
        id: typeof agentSessionId === 'string' ? agentSessionId : ours,
        path: `${ARCHIVE_PATH}${ours}`,
        parts: [],
        version: String(row.version),
        updatedAt: (row.updated_at as Date).getTime(),
        cwd: typeof workspaceDirectory === 'string' ? workspaceDirectory : undefined,
      },
      read: () => this.#readTranscripts(ours, record.type),
    };
  }

  async #readTranscripts(id: string, type: string): Promise<IndexedSession> {
    const { registeredAgent } = await import('@robota-sdk/agent-transcript/architectures');
    const saved = await this.#archive.transcripts.loadSession(id);
    const reader = registeredAgent(type).parser.start();
    for (const line of linesOf(saved?.rawTranscript)) reader.line(line, 0);
    for (const { id: subagent, rawTranscript, rawMeta } of saved?.subagents ?? []) {
      const thread = reader.subagent(subagent, rawMeta);
      for (const line of linesOf(rawTranscript)) thread.line(line, 0);
    }
    return readSession(reader.end());
  }

  async #gone(): Promise<number[]> {
    const { session, agentSession, catalogueSession } = this.#archive.tables;
    const rows = await this.#archive.catalogueLink.query(
      `SELECT c.id FROM ${catalogueSession} c WHERE c.gone IS NULL AND (
         (c.source = '${ARCHIVE_SOURCE}' AND NOT EXISTS (SELECT FROM ${session} s WHERE s.sid = c.sid))
         OR (c.source = '${AGENTS_SOURCE}' AND NOT EXISTS (SELECT FROM ${agentSession} a WHERE a.sid = c.sid)))`,
    );
    return rows.map(({ id }) => Number(id));
  }
}

function restored(text: string, resolver: PayloadReader): string {
  if (!text.includes('"external-payload"')) return text;
  try {
    return JSON.stringify(resolver.resolve(JSON.parse(text)));
  } catch {
    // The parser skips a torn line.
    return text;
  }
}

function linesOf(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((line) => line !== '');
}
