import type { PostgresArchive } from '../postgres-archive.ts';

/** What an archive holds. */
export interface ArchiveStats {
  readonly sessions: number;
  readonly openTurns: number;
  readonly waiting: number;
  readonly lines: number;
  readonly bytes: number;
  /** Nodes with a valid lease. */
  readonly nodes: readonly {
    readonly name: string;
    readonly url?: string | undefined;
    readonly sessions: number;
    readonly secondsLeft: number;
  }[];
}

/** Counts what an archive holds. */
export async function statsOf(archive: PostgresArchive): Promise<ArchiveStats> {
  const { session, inbox, node } = archive.tables;
  const [row] = await archive.link.query(
    `SELECT count(*) AS sessions, count(*) FILTER (WHERE is_open_turn) AS open_turns, coalesce(sum(last_seq), 0) AS lines,
        coalesce(sum(bytes), 0) AS bytes, (SELECT count(*) FROM ${inbox} WHERE taken_seq IS NULL) AS waiting FROM ${session}`,
  );
  const nodes = await archive.link.query(
    `SELECT n.name, n.url, (SELECT count(*) FROM ${session} s WHERE s.owner = n.id) AS sessions,
        extract(epoch FROM n.until - clock_timestamp()) AS seconds FROM ${node} n
      WHERE n.until > clock_timestamp() ORDER BY n.name`,
  );
  return {
    sessions: Number(row?.sessions),
    openTurns: Number(row?.open_turns),
    waiting: Number(row?.waiting),
    lines: Number(row?.lines),
    bytes: Number(row?.bytes),
    nodes: nodes.map(({ name, url, sessions, seconds }) => ({
      name: String(name),
      url: typeof url === 'string' ? url : undefined,
      sessions: Number(sessions),
      secondsLeft: Number(seconds),
    })),
  };
}
