import { basename, join } from 'node:path';
import { asId, asNumber, asRecord } from '../../json-record.ts';
import type { FinderPlace, FoundTranscript, SessionFinder } from '../session-finder.ts';
import { databaseVersion, type OpencodeSession, opencodeSessions } from './database.ts';
import { legacySessionPaths, readRecord, sessionPath } from './paths.ts';

/** `~/.local/share/opencode/opencode.db`, or before 1.2 the folders next to it; `XDG_DATA_HOME` and `OPENCODE_DB` override it. */
export const opencodeSessionFinder: SessionFinder = {
  async *find(place) {
    const database = databaseOf(place);
    if ((await databaseVersion(database)) === undefined) {
      yield* findLegacy(join(folderOf(place), 'storage'));
      return;
    }
    for (const { id, parentId, directory, title, updatedAt } of readableRows(database)) {
      if (parentId !== undefined) continue;
      yield {
        type: 'opencode',
        id,
        path: sessionPath(database, id),
        cwd: directory,
        preview: title,
        updatedAt,
      };
    }
  },

  async locate(place, sessionId) {
    const database = databaseOf(place);
    if ((await databaseVersion(database)) === undefined) {
      const paths = await legacySessionPaths(join(folderOf(place), 'storage'));
      return paths.find((path) => basename(path, '.json') === sessionId);
    }
    const isThere = readableRows(database).some(({ id }) => id === sessionId);
    return isThere ? sessionPath(database, sessionId) : undefined;
  },

  resumeCommand: (sessionId) => ['opencode', '--session', sessionId],
};

function readableRows(database: string): readonly OpencodeSession[] {
  try {
    return opencodeSessions(database);
  } catch {
    // A damaged database yields nothing; the inventory says what is wrong with it.
    return [];
  }
}

async function* findLegacy(storage: string): AsyncGenerator<FoundTranscript> {
  for (const path of await legacySessionPaths(storage)) {
    const session = (await readRecord(path)) ?? {};
    const { created, updated } = asRecord(session.time);
    yield {
      type: 'opencode',
      id: asId(session.id) ?? basename(path, '.json'),
      path,
      cwd: asId(session.directory),
      preview: asId(session.title),
      updatedAt: asNumber(updated) ?? asNumber(created) ?? 0,
    };
  }
}

function folderOf({ home, environment }: FinderPlace): string {
  return join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode');
}

export function databaseOf(place: FinderPlace): string {
  return place.environment.OPENCODE_DB || join(folderOf(place), 'opencode.db');
}
