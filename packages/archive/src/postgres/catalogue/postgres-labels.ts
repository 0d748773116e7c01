import type { LabelledSession, SessionLabel, SessionLabels } from '../../labels.ts';
import type { Link } from '../link.ts';
import type { Tables } from '../tables.ts';

/** Names, pins and archive flags that all nodes share. */
export class PostgresLabels implements SessionLabels {
  readonly #link: Link;
  readonly #tables: Tables;

  constructor(link: Link, tables: Tables) {
    this.#link = link;
    this.#tables = tables;
  }

  async set({ type, id }: LabelledSession, change: SessionLabel): Promise<void> {
    const { shownName } = await import('../../labels.ts');
    const { catalogueLabel } = this.#tables;
    const name = change.name === undefined ? null : await shownName(change.name);
    await this.#link.transaction(async (run) => {
      await run(
        `INSERT INTO ${catalogueLabel} AS l (type, native_id, name, is_pinned, is_archived)
         VALUES ($1, $2, nullif($3::text, ''), coalesce($4::boolean, false), coalesce($5::boolean, false))
         ON CONFLICT (type, native_id) DO UPDATE SET
           name = CASE WHEN $3::text IS NULL THEN l.name ELSE nullif($3::text, '') END,
           is_pinned = coalesce($4::boolean, l.is_pinned), is_archived = coalesce($5::boolean, l.is_archived)`,
        [type, id, name, change.isPinned ?? null, change.isArchived ?? null],
      );
      await run(
        `DELETE FROM ${catalogueLabel} WHERE type = $1 AND native_id = $2 AND name IS NULL AND NOT is_pinned AND NOT is_archived`,
        [type, id],
      );
    });
  }
}
