import { userPaths } from '@robota-sdk/agent-sdk';
import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { ARCHIVE_FLAGS } from './archive-flags.ts';
import { type CopyOne, copyEach } from './copy-each.ts';
import { withArchive } from './open-archive.ts';

/** Copies sessions of this machine into the archive: those named, or all. */
export async function importSessions(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, ARCHIVE_FLAGS);
  const { sessions, logs } = userPaths();
  const folders = { sessions, logs };
  const failed = await withArchive(values.archive, async (archive) => {
    const { idsInFolders, importSession } = await import('@robota-sdk/agent-archive/postgres');
    const ids = positionals.length > 0 ? positionals : idsInFolders(folders);
    const copy: CopyOne = (id) => importSession(archive, folders, id);
    return copyEach(ids, copy, { output, isJson: values.json === true });
  });
  return failed === 0 ? EXIT.done : EXIT.failed;
}
