import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { ARCHIVE_FLAGS } from './archive-flags.ts';
import { withArchive } from './open-archive.ts';

/** Creates or migrates the tables of an archive. */
export async function migrateArchive(args: readonly string[], output: Output): Promise<number> {
  const { values } = readFlags(args, ARCHIVE_FLAGS);
  const { from, to } = await withArchive(values.archive, (archive) => archive.migrate());
  if (values.json) output.writeLine(JSON.stringify({ from, to }));
  else if (from === to) output.writeLine(`The archive is up to date (layout ${to}).`);
  else output.writeLine(`Migrated the archive from layout ${from} to ${to}.`);
  return EXIT.done;
}
