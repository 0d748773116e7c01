import type { PostgresArchive } from '@robota-sdk/agent-archive/postgres';
import { UsageError } from '../../usage-error.ts';

const NO_URL =
  'No archive given. Pass --archive postgres://user@host/database or set ROBOTA_ARCHIVE.';

/** URL of the archive from the flag or the environment; undefined if neither is set. */
export function archiveUrl(given: string | undefined): string | undefined {
  const url = given ?? (process.env.ROBOTA_ARCHIVE || undefined);
  if (url === undefined) return undefined;
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new UsageError(`An archive is a PostgreSQL database: postgres://…, not "${url}".`);
}

/** The encryption key for secrets, from the environment. */
export async function archiveKey(): Promise<Uint8Array | undefined> {
  const text = process.env.ROBOTA_ARCHIVE_KEY;
  if (!text) return undefined;
  const { parseArchiveKey } = await import('@robota-sdk/agent-archive/postgres');
  try {
    return parseArchiveKey(text);
  } catch (error) {
    throw new UsageError(`ROBOTA_ARCHIVE_KEY: ${(error as Error).message}`, { cause: error });
  }
}

const NO_TABLES =
  'The archive has no tables yet, or those of an older version. Run robota archive migrate.';

/** PostgreSQL's codes for a missing table, column or schema. */
function isTableMissing(error: unknown): boolean {
  return error instanceof Error && /^(42P01|42703|3F000)$/.test(String(Reflect.get(error, 'code')));
}

/** Runs `work` on the archive, whose tables must exist, and closes it. */
export async function withArchive<Result>(
  given: string | undefined,
  work: (archive: PostgresArchive) => Promise<Result>,
): Promise<Result> {
  const url = archiveUrl(given);
  if (url === undefined) throw new UsageError(NO_URL);
  const { PostgresArchive } = await import('@robota-sdk/agent-archive/postgres');
  const archive = new PostgresArchive({ url, key: await archiveKey() });
  try {
    return await work(archive);
  } catch (error) {
    throw isTableMissing(error) ? new Error(NO_TABLES, { cause: error }) : error;
  } finally {
    await archive.close();
  }
}
