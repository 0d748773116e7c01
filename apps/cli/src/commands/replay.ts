import { replaySession, resolveSessionReference } from '@robota-sdk/agent-sdk';
import { readFlags } from '../arguments/read-flags.ts';
import { renderMarkdown } from '../export/render-markdown.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';

const FLAGS = { json: { type: 'boolean' }, debug: { type: 'boolean' } } as const;

/** Plays a session back from its log alone: nothing is asked, nothing is run. */
export async function runReplay(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined) throw new UsageError('Usage: robota replay <id|name> [--json]');
  const id = resolveSessionReference(reference, { cwd: process.cwd() });
  const { blocks, subagents, record } = replaySession(id);
  if (values.json) {
    for (const block of blocks) output.writeLine(JSON.stringify(block));
    return 0;
  }
  output.out.write(
    renderMarkdown({
      id,
      agent: 'robota',
      name: record.name,
      cwd: record.cwd,
      updatedAt: record.updatedAt,
      blocks,
      subagents,
    }),
  );
  return 0;
}
