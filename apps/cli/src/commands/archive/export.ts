import { join, resolve } from 'node:path';
import type { SharedArchive } from '@robota-sdk/agent-archive';
import { userPaths } from '@robota-sdk/agent-sdk';
import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { ARCHIVE_FLAGS } from './archive-flags.ts';
import { type CopyOne, copyEach } from './copy-each.ts';
import { withArchive } from './open-archive.ts';

const FLAGS = { ...ARCHIVE_FLAGS, to: { type: 'string' } } as const;

/** Copies sessions from the archive to files: those named, or all; into this user's own folder unless `--to` is given. */
export async function exportSessions(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const folders = foldersIn(values.to);
  const failed = await withArchive(values.archive, async (archive) => {
    const { exportSession } = await import('@robota-sdk/agent-archive/postgres');
    const ids = positionals.length > 0 ? positionals : await ownSessions(archive);
    const copy: CopyOne = (id) => exportSession(archive, folders, id);
    return copyEach(ids, copy, { output, isJson: values.json === true });
  });
  return failed === 0 ? EXIT.done : EXIT.failed;
}

/** Sessions of other agents are excluded: their programs own the transcripts. */
async function ownSessions(archive: SharedArchive): Promise<readonly string[]> {
  const all = await archive.list();
  return all.filter(({ card }) => (card.agent ?? 'robota') === 'robota').map(({ id }) => id);
}

function foldersIn(given: string | undefined): { sessions: string; logs: string } {
  if (given === undefined) {
    const { sessions, logs } = userPaths();
    return { sessions, logs };
  }
  const folder = resolve(given);
  return { sessions: join(folder, 'sessions'), logs: join(folder, 'logs') };
}
