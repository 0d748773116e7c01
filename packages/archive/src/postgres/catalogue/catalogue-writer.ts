import { createHash } from 'node:crypto';
import type { SubagentFile } from '@robota-sdk/agent-transcript/architectures';
import { toAgentName } from '@robota-sdk/agent-transcript/blocks';
import type { LedgerRequest } from '../../ledger.ts';
import { identifySharedProject } from '../../reading/project-identity.ts';
import { type IndexedSession, isEmptyReading } from '../../reading/session-reading.ts';
import type { Link, RunStatement } from '../link.ts';
import type { Tables } from '../tables.ts';
import { wordPieces } from './block-words.ts';
import { holdsMore, settleRequests, sharedKeys, writeRequests } from './usage-rows.ts';

/** A session as its source lists it before it is read. */
export interface SourcedSession {
  /** The source's name; rows of other sources are not changed. */
  readonly source: string;
  /** Its number in the archive, if it is stored there. */
  readonly sid?: number | undefined;
  readonly type: string;
  readonly id: string;
  readonly path: string;
  readonly parts: readonly SubagentFile[];
  /** Changes whenever the session may have changed. */
  readonly version: string;
  readonly updatedAt: number;
  readonly cwd?: string | undefined;
  readonly name?: string | undefined;
  readonly isOrphan?: boolean | undefined;
}

/** A session with its content. */
export interface ReadSession {
  readonly session: SourcedSession;
  readonly reading: IndexedSession;
  readonly requests: readonly LedgerRequest[];
}

/** Blocks written in one statement. */
const PAGE_BLOCKS = 200;

/** Writes sessions into the catalogue, each in one transaction. */
export class CatalogueWriter {
  readonly #link: Link;
  readonly #tables: Tables;

  constructor(link: Link, tables: Tables) {
    this.#link = link;
    this.#tables = tables;
  }

  /** Replaces a session; only new and changed blocks are written. */
  async write(read: ReadSession): Promise<void> {
    await this.#link.transaction(async (run) => {
      await this.#alone(run, read.session);
      await this.#rename(run, read.session);
      const id = await this.#writeSession(run, read);
      await this.#writeBlocks(run, id, read.reading);
      await writeRequests(run, this.#tables, { session: id, requests: read.requests });
      await this.#deleteReturned(run, read.session);
      await this.#settleTwins(run, read.session);
    });
  }

  /** A program that chooses its own id reports it later; rows written before belong to the same session. */
  async #rename(run: RunStatement, { source, sid, type, id, path }: SourcedSession): Promise<void> {
    if (sid === undefined) return;
    const { catalogueSession, catalogueLabel } = this.#tables;
    const [row] = await run(
      `SELECT id, native_id FROM ${catalogueSession} WHERE source = $1 AND sid = $2::bigint AND native_id <> $3`,
      [source, sid, id],
    );
    if (!row) return;
    const [known] = await run(
      `SELECT id FROM ${catalogueSession} WHERE native_id = $1 AND type = $2 AND path = $3`,
      [id, type, path],
    );
    if (known) {
      await this.#remove(run, Number(row.id));
      return;
    }
    await run(`UPDATE ${catalogueSession} SET native_id = $2 WHERE id = $1::bigint`, [
      Number(row.id),
      id,
    ]);
    await run(
      `UPDATE ${catalogueLabel} l SET native_id = $3 WHERE type = $1 AND native_id = $2
         AND NOT EXISTS (SELECT FROM ${catalogueLabel} o WHERE o.type = $1 AND o.native_id = $3)`,
      [type, String(row.native_id), id],
    );
  }

  /** Deletes rows of a session that reappeared elsewhere, unless they have requests that did not. */
  async #deleteReturned(run: RunStatement, { type, id }: SourcedSession): Promise<void> {
    const gone = await run(
      `SELECT id FROM ${this.#tables.catalogueSession} WHERE native_id = $1 AND type = $2 AND gone IS NOT NULL`,
      [id, type],
    );
    for (const row of gone)
      if (!(await holdsMore(run, this.#tables, Number(row.id))))
        await this.#delete(run, Number(row.id));
  }

  /** A deleted session keeps its cost but none of its text. */
  async markGone(id: number, goneAt: number): Promise<void> {
    await this.#link.transaction((run) => this.#markGone(run, id, goneAt));
  }

  async #markGone(run: RunStatement, id: number, goneAt: number): Promise<void> {
    const { catalogueSession, catalogueBlock } = this.#tables;
    await run(`DELETE FROM ${catalogueBlock} WHERE session = $1::bigint`, [id]);
    const [row] = await run(
      `UPDATE ${catalogueSession} SET gone = $2::bigint, is_hidden = true, is_twin = false, is_orphan = false,
         preview = '', version = '', name = NULL, title = CASE WHEN type = 'robota' THEN NULL ELSE title END
       WHERE id = $1::bigint RETURNING type, native_id`,
      [id, goneAt],
    );
    await settleRequests(run, this.#tables, await sharedKeys(run, this.#tables, id));
    if (row) await this.#settleTwins(run, { type: String(row.type), id: String(row.native_id) });
  }

  /** For a row whose file belongs to another session now. */
  async remove(id: number): Promise<void> {
    await this.#link.transaction((run) => this.#remove(run, id));
  }

  /** The session is elsewhere; the row stays if only it has some of the requests. True if it stays. */
  async retire(id: number, goneAt: number): Promise<boolean> {
    return this.#link.transaction(async (run) => {
      const isNeeded = await holdsMore(run, this.#tables, id);
      await (isNeeded ? this.#markGone(run, id, goneAt) : this.#remove(run, id));
      return isNeeded;
    });
  }

  async #remove(run: RunStatement, id: number): Promise<void> {
    const { catalogueSession, catalogueBlock } = this.#tables;
    const [row] = await run(
      `SELECT type, native_id FROM ${catalogueSession} WHERE id = $1::bigint`,
      [id],
    );
    await run(`DELETE FROM ${catalogueBlock} WHERE session = $1::bigint`, [id]);
    await this.#delete(run, id);
    if (row) await this.#settleTwins(run, { type: String(row.type), id: String(row.native_id) });
  }

  /** Serialises concurrent writers of one session. */
  async #alone(
    run: RunStatement,
    { type, id }: Pick<SourcedSession, 'type' | 'id'>,
  ): Promise<void> {
    await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 7262683028))', [
      `${this.#tables.schema} ${type} ${id}`,
    ]);
  }

  async #writeSession(run: RunStatement, { session, reading }: ReadSession): Promise<number> {
    const { catalogueSession } = this.#tables;
    const created = Math.round(reading.createdAt ?? session.updatedAt);
    const updated = Math.round(Math.max(reading.updatedAt ?? 0, created) || session.updatedAt);
    const cwd = session.cwd ?? reading.cwd ?? null;
    const project = cwd === null || cwd === '' ? undefined : await this.#project(run, cwd);
    const isOrphan = session.isOrphan === true;
    const [row] = await run(
      `INSERT INTO ${catalogueSession} AS s (source, sid, type, agent, native_id, path, parts, version, project_key, project, cwd,
         title, name, preview, model, branch, fork_of, created, updated, messages, is_orphan, gone, is_hidden)
       VALUES ($1, $2::bigint, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18::bigint, $19::bigint,
         $20::integer, $21::boolean, NULL, $22::boolean)
       ON CONFLICT (native_id, type, path) DO UPDATE SET (source, sid, agent, parts, version, project_key, project, cwd, title,
         name, preview, model, branch, fork_of, created, updated, messages, is_orphan, gone, is_hidden) =
         (excluded.source, excluded.sid, excluded.agent, excluded.parts, excluded.version, excluded.project_key,
         excluded.project, excluded.cwd, excluded.title, excluded.name, excluded.preview, excluded.model, excluded.branch,
         excluded.fork_of, excluded.created, excluded.updated, excluded.messages, excluded.is_orphan, NULL, excluded.is_hidden)
       RETURNING s.id`,
      [
        session.source,
        session.sid ?? null,
        session.type,
        toAgentName(session.type),
        session.id,
        session.path,
        JSON.stringify(session.parts),
        session.version,
        project?.key ?? null,
        project?.name ?? null,
        cwd === null ? null : plain(cwd),
        plain(session.name ?? reading.title),
        orNull(session.name ?? reading.name),
        plain(reading.preview),
        orNull(reading.model),
        orNull(reading.branch),
        orNull(reading.forkOf),
        created,
        updated,
        reading.messages,
        isOrphan,
        isOrphan || isEmptyReading(reading),
      ],
    );
    return Number(row?.id);
  }

  /** A directory that is not on this machine keeps the project that another node found for it. */
  async #project(run: RunStatement, cwd: string): Promise<{ key: string; name: string }> {
    const found = identifySharedProject(cwd);
    if (!found.key.startsWith('path:')) return found;
    const [known] = await run(
      `SELECT project_key, project FROM ${this.#tables.catalogueSession}
       WHERE cwd = $1 AND project_key NOT LIKE 'path:%'
       ORDER BY updated DESC LIMIT 1`,
      [plain(cwd)],
    );
    if (!known) return { key: plain(found.key), name: plain(found.name) };
    return { key: String(known.project_key), name: String(known.project) };
  }

  async #writeBlocks(
    run: RunStatement,
    session: number,
    { threads }: IndexedSession,
  ): Promise<void> {
    const { catalogueBlock } = this.#tables;
    const blocks = threads.flatMap(({ thread, isSuperseded, blocks: own }) =>
      own.map((block) => ({ ...block, thread, isSuperseded })),
    );
    const digests = blocks.map(({ id, thread, isSuperseded, column, text }) =>
      createHash('sha1')
        .update(JSON.stringify([id, thread, isSuperseded, column, text]))
        .digest('base64url'),
    );
    const known = await run(
      `SELECT seq, digest FROM ${catalogueBlock} WHERE session = $1::bigint AND piece = 0 ORDER BY seq`,
      [session],
    );
    // A block without words has no row.
    const isKept = ({ seq, digest }: (typeof known)[number]) => digests[Number(seq)] === digest;
    const wrong = known.find((row) => !isKept(row));
    const first = wrong ? Number(wrong.seq) : Number(known.at(-1)?.seq ?? -1) + 1;
    if (wrong) {
      await run(`DELETE FROM ${catalogueBlock} WHERE session = $1::bigint AND seq >= $2::integer`, [
        session,
        first,
      ]);
    }
    const rows = blocks.slice(first).flatMap((block, index) =>
      wordPieces(block.text).map((piece, number) => ({
        ...piece,
        block,
        seq: first + index,
        number,
        digest: digests[first + index] ?? '',
      })),
    );
    for (let from = 0; from < rows.length; from += PAGE_BLOCKS) {
      const page = rows.slice(from, from + PAGE_BLOCKS);
      await run(
        `INSERT INTO ${catalogueBlock} (session, seq, piece, block_id, thread, is_superseded, is_tool, digest, shown, words)
         SELECT $1::bigint, b.seq, b.piece, b.block_id, b.thread, b.is_superseded = 1, b.is_tool = 1, b.digest, b.shown,
           b.words::tsvector
         FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::text[],
           $9::text[], $10::text[]) AS b(seq, piece, block_id, thread, is_superseded, is_tool, digest, shown, words)`,
        [
          session,
          page.map(({ seq }) => seq),
          page.map(({ number }) => number),
          page.map(({ block }) => plain(block.id)),
          page.map(({ block }) => plain(block.thread)),
          page.map(({ block }) => (block.isSuperseded ? 1 : 0)),
          page.map(({ block }) => (block.column === 'tools' ? 1 : 0)),
          page.map(({ digest }) => digest),
          page.map(({ shown }) => shown),
          page.map(({ words }) => words),
        ],
      );
    }
  }

  async #delete(run: RunStatement, id: number): Promise<void> {
    const { catalogueSession, catalogueUsage } = this.#tables;
    const keys = await run(
      `DELETE FROM ${catalogueUsage} WHERE session = $1::bigint RETURNING key::text AS key`,
      [id],
    );
    await run(`DELETE FROM ${catalogueSession} WHERE id = $1::bigint`, [id]);
    await settleRequests(
      run,
      this.#tables,
      keys.map(({ key }) => String(key)),
    );
  }

  /** Of several copies of one session, only the latest is shown. */
  async #settleTwins(
    run: RunStatement,
    { type, id }: Pick<SourcedSession, 'type' | 'id'>,
  ): Promise<void> {
    const { catalogueSession } = this.#tables;
    await run(
      `WITH places AS (SELECT id, row_number() OVER (ORDER BY is_hidden, updated DESC, messages DESC, path) AS place
         FROM ${catalogueSession} WHERE native_id = $1 AND type = $2 AND gone IS NULL)
       UPDATE ${catalogueSession} s SET is_twin = p.place > 1 FROM places p
       WHERE s.id = p.id AND s.is_twin <> (p.place > 1)`,
      [id, type],
    );
  }
}

/** PostgreSQL rejects text with NUL characters. */
function plain(text: string): string {
  return text.replaceAll('\0', ' ');
}

function orNull(text: string | undefined): string | null {
  return text === undefined ? null : plain(text);
}
