import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { ARCHIVE_FLAGS } from '../archive/archive-flags.ts';
import { withArchive } from '../archive/open-archive.ts';

const FLAGS = { ...ARCHIVE_FLAGS, to: { type: 'string' } } as const;

/** Takes an archived session from the node that runs it; a running turn is interrupted and settled by the next owner. */
export async function takeOverOne(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [id] = positionals;
  if (id === undefined) {
    throw new UsageError('Usage: robota sessions take-over <id> [--to NODE] [--archive URL]');
  }
  await withArchive(values.archive, async (archive) => {
    const { moveSession } = await import('@robota-sdk/agent-archive/postgres');
    await moveSession(archive, id, { to: values.to });
  });
  if (values.json) output.writeLine(JSON.stringify({ id, to: values.to ?? null }));
  else
    output.writeLine(
      `${id} continues on ${values.to === undefined ? 'the next free node' : values.to}.`,
    );
  return EXIT.done;
}
