import { LogReader } from '@robota-sdk/agent-core/log';
import type { PostgresArchive } from '../postgres-archive.ts';

/** What a check of the archive found. */
export interface ArchiveCheck {
  readonly sessions: number;
  readonly problems: readonly { readonly id: string; readonly problem: string }[];
}

/** Checks that each log is complete: every line present once, readable, and ordered by fence. */
export async function checkArchive(
  archive: PostgresArchive,
  ids?: readonly string[],
): Promise<ArchiveCheck> {
  const wanted = ids ?? (await archive.list()).map(({ id }) => id);
  const problems: { id: string; problem: string }[] = [];
  for (const id of wanted) {
    for (const problem of await problemsOf(archive, id)) problems.push({ id, problem });
  }
  return { sessions: wanted.length, problems };
}

async function problemsOf(archive: PostgresArchive, id: string): Promise<readonly string[]> {
  const { session, event, checkpoint, payload } = archive.tables;
  const [row] = await archive.link.query(
    `SELECT s.sid, s.last_seq, s.bytes, c.seq AS checkpoint,
        (SELECT count(*) FROM ${event} e WHERE e.sid = s.sid) AS lines,
        (SELECT coalesce(sum(octet_length(e.data) + 1), 0) FROM ${event} e WHERE e.sid = s.sid) AS size,
        EXISTS (SELECT FROM (SELECT fence, lag(fence) OVER (ORDER BY seq) AS before FROM ${event} e WHERE e.sid = s.sid) f
          WHERE f.fence < f.before) AS is_mixed
      FROM ${session} s LEFT JOIN ${checkpoint} c USING (sid) WHERE s.id = $1`,
    [id],
  );
  if (!row) return ['there is no such session'];
  const [last, lines] = [Number(row.last_seq), Number(row.lines)];
  const found: string[] = [];
  if (lines !== last) found.push(`it has ${lines} lines where ${last} were written`);
  if (Number(row.size) !== Number(row.bytes))
    found.push('its lines are not as long as was written');
  if (row.is_mixed === true) found.push('lines of an earlier holder follow those of a later one');
  if (Number(row.checkpoint ?? 0) > last) found.push('its checkpoint is ahead of its lines');
  const unreadable = await countUnreadable(archive, id);
  if (unreadable > 0) found.push(`${unreadable} lines cannot be read`);
  const [missing] = await archive.link.query(
    `SELECT count(DISTINCT r.hash) AS count FROM (SELECT (regexp_matches(data, '"external-payload"[^}]*"sha256":"([0-9a-f]{64})"', 'g'))[1] AS hash
        FROM ${event} WHERE sid = $1::bigint) r LEFT JOIN ${payload} p ON p.sid = $1::bigint AND p.hash = r.hash WHERE p.hash IS NULL`,
    [Number(row.sid)],
  );
  if (Number(missing?.count) > 0) found.push(`${Number(missing?.count)} payloads are missing`);
  const [changed] = await archive.link.query(
    `SELECT count(*) AS count FROM ${payload} WHERE sid = $1::bigint AND encode(sha256(convert_to(data, 'UTF8')), 'hex') <> hash`,
    [Number(row.sid)],
  );
  if (Number(changed?.count) > 0) {
    found.push(`${Number(changed?.count)} payloads are not what was written`);
  }
  return found;
}

async function countUnreadable(archive: PostgresArchive, id: string): Promise<number> {
  const reader = new LogReader({ detail: 'folds' });
  let [unreadable, after] = [0, 0];
  for (;;) {
    const lines = await archive.lines(id, after);
    for (const { text, place } of lines) {
      if (reader.read(text) === null) unreadable += 1;
      after = place;
    }
    if (lines.length === 0) return unreadable;
  }
}
