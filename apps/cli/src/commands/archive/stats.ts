import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { ARCHIVE_FLAGS } from './archive-flags.ts';
import { withArchive } from './open-archive.ts';

/** Shows the contents of the archive and its live nodes. */
export async function showStats(args: readonly string[], output: Output): Promise<number> {
  const { values } = readFlags(args, ARCHIVE_FLAGS);
  const stats = await withArchive(values.archive, async (archive) => {
    const { statsOf } = await import('@robota-sdk/agent-archive/postgres');
    return statsOf(archive);
  });
  if (values.json) {
    output.writeLine(JSON.stringify(stats));
    return EXIT.done;
  }
  const { nodes, ...counts } = stats;
  for (const [name, count] of Object.entries(counts)) {
    output.writeLine(`${WORDS[name as keyof typeof counts]}  ${count}`);
  }
  for (const { name, url, sessions, secondsLeft } of nodes) {
    const where = url === undefined ? '' : ` at ${url}`;
    output.writeLine(`Node ${name}${where}: runs ${sessions}, lease ${secondsLeft.toFixed(1)} s`);
  }
  return EXIT.done;
}

const WORDS = {
  sessions: 'Sessions        ',
  openTurns: 'Turns under way ',
  waiting: 'Waiting in inbox',
  lines: 'Lines           ',
  bytes: 'Bytes of logs   ',
} as const;
