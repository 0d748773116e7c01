import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { ARCHIVE_FLAGS } from './archive-flags.ts';
import { withArchive } from './open-archive.ts';

/** Checks that every log in the archive is complete. Exit code 1 if one is not. */
export async function checkArchive(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, ARCHIVE_FLAGS);
  const { sessions, problems } = await withArchive(values.archive, async (archive) => {
    const { checkArchive: check } = await import('@robota-sdk/agent-archive/postgres');
    return check(archive, positionals.length > 0 ? positionals : undefined);
  });
  if (values.json) output.writeLine(JSON.stringify({ sessions, problems }));
  else {
    for (const { id, problem } of problems) output.writeLine(`${id}: ${problem}`);
    const verdict = problems.length === 0 ? 'no problems found' : `${problems.length} problem(s)`;
    output.writeLine(`${sessions} session(s) checked: ${verdict}.`);
  }
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}
