import type { PostgresArchive } from '../postgres-archive.ts';

/** Age limits for what is deleted from an archive. */
export interface PruneOptions {
  /** Days to keep receipts of finished requests; a prompt repeated later runs again. */
  readonly receiptDays: number;
  /** Sessions unused for this many days are deleted; none by default. */
  readonly sessionDays?: number | undefined;
}

/** Numbers of deleted rows. */
export interface PruneReport {
  readonly receipts: number;
  readonly questions: number;
  readonly nodes: number;
  readonly sessions: number;
}

/** Deletes what is no longer needed. */
export async function pruneArchive(
  archive: PostgresArchive,
  { receiptDays, sessionDays }: PruneOptions,
): Promise<PruneReport> {
  const { inbox, question, node, session } = archive.tables;
  const receipts = await archive.link.query(
    `DELETE FROM ${inbox} WHERE status IS NOT NULL AND arrived_at < clock_timestamp() - $1::float8 * interval '1 day' RETURNING 1 AS one`,
    [receiptDays],
  );
  const questions = await archive.link.query(
    `DELETE FROM ${question} q USING ${session} s WHERE s.sid = q.sid AND q.taken_seq IS NOT NULL
      AND s.updated_at < clock_timestamp() - $1::float8 * interval '1 day' RETURNING 1 AS one`,
    [receiptDays],
  );
  // Expired leases are useless; the hour allows for wrong clocks.
  const nodes = await archive.link.query(
    `DELETE FROM ${node} WHERE until < clock_timestamp() - interval '1 hour' RETURNING 1 AS one`,
  );
  const old =
    sessionDays === undefined
      ? []
      : await archive.link.query(
          `SELECT s.id FROM ${session} s LEFT JOIN ${node} n ON n.id = s.owner AND n.until > clock_timestamp()
            WHERE n.id IS NULL AND NOT s.is_open_turn AND s.updated_at < clock_timestamp() - $1::float8 * interval '1 day'`,
          [sessionDays],
        );
  for (const { id } of old) await archive.remove(String(id));
  const agents = sessionDays === undefined ? [] : await unusedAgents(archive, sessionDays);
  for (const id of agents) await archive.transcripts.deleteSession(id);
  return {
    receipts: receipts.length,
    questions: questions.length,
    nodes: nodes.length,
    // Sessions of other agents are stored in two tables.
    sessions: new Set([...old.map(({ id }) => String(id)), ...agents]).size,
  };
}

/** Sessions of other agents' programs that are unused for this long and not locked. */
async function unusedAgents(archive: PostgresArchive, days: number): Promise<readonly string[]> {
  const rows = await archive.link.query(
    `SELECT id FROM ${archive.tables.agentSession} WHERE coalesce(until < clock_timestamp(), true)
      AND updated_at < clock_timestamp() - $1::float8 * interval '1 day'`,
    [days],
  );
  return rows.map(({ id }) => String(id));
}
