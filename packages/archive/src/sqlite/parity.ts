import type { TranscriptFamily } from '@robota-sdk/agent-transcript/architectures';
import { digestReading, readSession } from '../reading/session-reading.ts';
import type { CatalogueDatabase } from './database.ts';
import type { CataloguePlace } from './refresh.ts';

/** How a catalogue differs from the transcripts on this machine; paths of main transcripts. */
export interface CatalogueParity {
  readonly checked: number;
  /** On disk but not in the catalogue. */
  readonly missing: readonly string[];
  /** In the catalogue but not on disk. */
  readonly extra: readonly string[];
  /** Written since the last refresh. */
  readonly stale: readonly string[];
  /** Unchanged on disk but different in the catalogue. */
  readonly different: readonly string[];
  /** Inconsistencies of the tables themselves, as sentences. */
  readonly faults: readonly string[];
}

export interface ParityContext {
  readonly place: CataloguePlace;
  /** The version that the catalogue stores for a family. */
  versionOf(family: TranscriptFamily): string;
}

/** Reads every session again and compares it with the catalogue. */
export async function compareWithTranscripts(
  database: CatalogueDatabase,
  { place, versionOf }: ParityContext,
): Promise<CatalogueParity> {
  const { readFamily, takeInventory } = await import('@robota-sdk/agent-transcript/architectures');
  const { families, failures = [] } = await takeInventory(place);
  const known = knownSessions(database);
  const [missing, stale, different]: [string[], string[], string[]] = [[], [], []];
  const isDifferent = async (family: TranscriptFamily, digest: string) => {
    try {
      return digest !== digestReading(readSession(await readFamily(family)));
    } catch {
      // No longer readable, which is not the catalogue's fault.
      return false;
    }
  };
  for (const family of families) {
    const key = `${family.type}\n${family.id}\n${family.path}`;
    const row = known.get(key);
    known.delete(key);
    if (row === undefined) missing.push(family.path);
    else if (row.version !== versionOf(family)) stale.push(family.path);
    else if (await isDifferent(family, row.digest)) different.push(family.path);
  }
  const unlisted = new Set<string>(failures.map(({ type }) => type));
  const extra = [...known.values()].flatMap(({ type, path }) => (unlisted.has(type) ? [] : [path]));
  return { checked: families.length, missing, extra, stale, different, faults: faultsOf(database) };
}

function knownSessions(database: CatalogueDatabase) {
  const rows = database.rows(
    'select type, native_id, path, version, digest from session where gone is null',
  );
  return new Map(
    rows.map(({ type, native_id, path, version, digest }) => [
      `${type}\n${native_id}\n${path}`,
      { type: String(type), path: String(path), version: String(version), digest: String(digest) },
    ]),
  );
}

/** Checks that related tables are consistent. */
function faultsOf(database: CatalogueDatabase): string[] {
  const checks: readonly (readonly [sql: string, fault: string])[] = [
    [
      'select 1 from span where session not in (select id from session) limit 1',
      'There are indexed words of a session that is not listed.',
    ],
    [
      'select 1 from usage where session not in (select id from session) limit 1',
      'There are requests of a session that is not known.',
    ],
    [
      'select 1 from usage group by key having sum(counted) <> 1 limit 1',
      'There is a request that counts for no session or for several.',
    ],
  ];
  const faults = checks.flatMap(([sql, fault]) => (database.row(sql) === undefined ? [] : [fault]));
  try {
    database.exec("insert into words(words) values('integrity-check')");
  } catch (error) {
    faults.push(`The index of words is damaged: ${error instanceof Error ? error.message : error}`);
  }
  return faults;
}
