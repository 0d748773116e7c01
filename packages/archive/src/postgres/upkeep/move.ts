import type { PostgresArchive } from '../postgres-archive.ts';

/**
 * Takes a session from the node that runs it: the node named `to` runs it next, or any node by default. The running
 * turn is interrupted and settled there.
 */
export async function moveSession(
  archive: PostgresArchive,
  id: string,
  { to }: { readonly to?: string | undefined } = {},
): Promise<void> {
  const { session, node } = archive.tables;
  const [target] =
    to === undefined
      ? []
      : await archive.link.query(
          `SELECT id::text FROM ${node} WHERE name = $1 AND until > clock_timestamp() ORDER BY started_at DESC LIMIT 1`,
          [to],
        );
  if (to !== undefined && !target) {
    throw new Error(`No live node is named "${to}"; "robota archive stats" lists them`);
  }
  const [moved] = await archive.link.query(
    `UPDATE ${session} SET owner = $2::uuid, fence = fence + 1, is_moved = true WHERE id = $1 RETURNING sid`,
    [id, target ? String(target.id) : null],
  );
  if (!moved) {
    throw Object.assign(new Error(`Session not found: ${id}`), { code: 'session_not_found' });
  }
  archive.wakes.notify('claim', Number(moved.sid));
}
