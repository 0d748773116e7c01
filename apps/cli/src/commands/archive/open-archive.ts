import type { PostgresArchive } from '@robota-sdk/agent-archive/postgres';
import { UsageError } from '../../usage-error.ts';

const NO_URL =
  'No archive given. Pass --archive postgres://user@host/database or set ROBOTA_ARCHIVE.';

/** The address of the archive that a flag or the environment names; undefined when neither does. */
export function archiveUrl(given: string | undefined): string | undefined {
  const url = given ?? (process.env.ROBOTA_ARCHIVE || undefined);
  if (url === undefined) return undefined;
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new UsageError(`An archive is a PostgreSQL database: postgres://…, not "${url}".`);
}

/** What secrets are enciphered with, where the environment says so. */
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

/** Runs `work` on the archive, whose tables must be there, and lets go of it. */
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
  } finally {
    await archive.close();
  }
}
