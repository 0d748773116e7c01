import { statSync } from 'node:fs';
import type { SessionInventory, TranscriptFamily } from '../session-inventory.ts';
import { familyRows } from './database.ts';
import { databaseOf } from './find-sessions.ts';
import { sessionPath } from './paths.ts';

/** Sessions in opencode's database; queried again only when the database or its WAL file has changed. */
export const opencodeInventory: SessionInventory = {
  take(place, memory) {
    const database = databaseOf(place);
    const files = [database, `${database}-wal`].map((path) => ({ path, found: statOf(path) }));
    if (files[0]?.found === undefined) return undefined;
    const watched = new Map(files.map(({ path, found }) => [path, found?.mtimeMs ?? 0]));
    const stamp = files
      .map(({ found }) => `${found?.ino}/${found?.size}/${found?.mtimeMs}`)
      .join(' ');
    const known = memory.recall(database, stamp);
    // Stored below from `familiesOf`.
    if (known !== undefined) return { families: JSON.parse(known) as TranscriptFamily[], watched };
    try {
      const families = familiesOf(database);
      memory.keep(database, stamp, JSON.stringify(families));
      return { families, watched };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { families: [], watched, failures: [{ type: 'opencode', path: database, reason }] };
    }
  },
};

function statOf(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

function familiesOf(database: string): TranscriptFamily[] {
  return familyRows(database).map(({ id, childIds, version, directory, updatedAt, bytes }) => ({
    type: 'opencode',
    id,
    path: sessionPath(database, id),
    parts: childIds.map((child) => ({ id: child, path: sessionPath(database, child) })),
    version,
    updatedAt,
    bytes,
    cwd: directory,
  }));
}
