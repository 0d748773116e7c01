import { basename, dirname, join } from 'node:path';
import { asId, asRecord, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import { readExisting } from '../existing-file.ts';
import { foldersIn, namesIn } from '../transcript-head.ts';
import type { TranscriptLayout, WholeTranscript } from '../transcript-layout.ts';
import { childSessionIds, databaseVersion, readSessionLines } from './database.ts';

/**
 * Since 1.2 sessions are rows of a database: the path of one is the path of the database followed by the session id.
 * Before, each session, message and part was a file: `storage/session/<project>/<id>.json` and others.
 */
export const opencodeTranscriptLayout: TranscriptLayout = {
  openWhole(path) {
    const row = rowOf(path);
    return row === undefined ? legacySession(path) : databaseSession(row);
  },

  async findSubagentFiles(path) {
    const row = rowOf(path);
    if (row === undefined) return findLegacyChildren(path);
    if ((await databaseVersion(row.database)) === undefined) return [];
    const ids = childSessionIds(row.database, row.sessionId);
    return ids.map((id) => ({ id, path: sessionPath(row.database, id) }));
  },

  async foldersToWatch(path) {
    const row = rowOf(path);
    return row === undefined ? [dirname(path)] : [dirname(row.database)];
  },
};

/** The pseudo path of a session in a database. */
export function sessionPath(database: string, sessionId: string): string {
  return join(database, sessionId);
}

interface SessionPlace {
  readonly database: string;
  readonly sessionId: string;
}

function rowOf(path: string): SessionPlace | undefined {
  return path.endsWith('.json')
    ? undefined
    : { database: dirname(path), sessionId: basename(path) };
}

function databaseSession({ database, sessionId }: SessionPlace): WholeTranscript {
  return {
    version: () => databaseVersion(database),
    async readLines() {
      if ((await databaseVersion(database)) === undefined) return [];
      return readSessionLines(database, sessionId);
    },
  };
}

function legacySession(path: string): WholeTranscript {
  const readLines = () => readLegacyLines(path);
  return {
    // The files are many and small, so their content is the most reliable version.
    async version() {
      const lines = await readLines();
      return lines.length === 0 ? undefined : lines.join('\n');
    },
    readLines,
  };
}

async function readLegacyLines(path: string): Promise<readonly string[]> {
  const session = await readRecord(path);
  if (session === undefined) return [];
  const storage = dirname(dirname(dirname(path)));
  const lines = [JSON.stringify({ session })];
  const folder = join(storage, 'message', basename(path, '.json'));
  for (const name of await namesIn(folder)) {
    const message = await readRecord(join(folder, name));
    if (message === undefined) continue;
    lines.push(JSON.stringify({ message }));
    const parts = join(storage, 'part', basename(name, '.json'));
    for (const each of await namesIn(parts)) {
      const part = await readRecord(join(parts, each));
      if (part !== undefined) lines.push(JSON.stringify({ part }));
    }
  }
  return lines;
}

async function findLegacyChildren(path: string) {
  const id = basename(path, '.json');
  const found: { readonly id: string; readonly path: string }[] = [];
  for (const name of await namesIn(dirname(path))) {
    const file = join(dirname(path), name);
    const record = file === path ? undefined : await readRecord(file);
    if (asId(record?.parentID) === id) found.push({ id: basename(name, '.json'), path: file });
  }
  return found;
}

/** Sessions from before 1.2, without child sessions. */
export async function legacySessionPaths(storage: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const project of await foldersIn(join(storage, 'session'))) {
    for (const name of await namesIn(project)) {
      const path = join(project, name);
      const record = name.endsWith('.json') ? await readRecord(path) : undefined;
      if (record !== undefined && asId(record.parentID) === undefined) paths.push(path);
    }
  }
  return paths;
}

/** The record in a file; `undefined` if it is missing or unreadable. */
export async function readRecord(path: string): Promise<JsonRecord | undefined> {
  const record = parseLine((await readExisting(path)) ?? '');
  return typeof record === 'object' ? asRecord(record) : undefined;
}
