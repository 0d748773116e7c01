import type { PostgresArchive } from '../postgres-archive.ts';

/** What is old enough to be taken out of an archive. */
export interface PruneOptions {
  /** Receipts of what has ended are kept for so many days; a prompt sent again later is asked again. */
  readonly receiptDays: number;
  /** Sessions that nobody used for so many days are deleted; none when left out. */
  readonly sessionDays?: number | undefined;
}

/** What was taken out of an archive. */
export interface PruneReport {
  readonly receipts: number;
  readonly questions: number;
  readonly nodes: number;
  readonly sessions: number;
}

/** Removes what is not needed any more. */
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
  // A lease that ended is of no use to anybody; an hour is longer than any clock is wrong.
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
    // Those of other agents are kept in two places.
    sessions: new Set([...old.map(({ id }) => String(id)), ...agents]).size,
  };
}

/** Sessions of other agents' programs that nobody used for so long and nobody writes. */
async function unusedAgents(archive: PostgresArchive, days: number): Promise<readonly string[]> {
  const rows = await archive.link.query(
    `SELECT id FROM ${archive.tables.agentSession} WHERE coalesce(until < clock_timestamp(), true)
      AND updated_at < clock_timestamp() - $1::float8 * interval '1 day'`,
    [days],
  );
  return rows.map(({ id }) => String(id));
}
