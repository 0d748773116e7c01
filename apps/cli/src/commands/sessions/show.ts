import { readFlags } from '../../arguments/read-flags.ts';
import type { ExportedSession } from '../../export/exported-session.ts';
import { renderMarkdown } from '../../export/render-markdown.ts';
import type { Output } from '../../output.ts';
import { jsonText } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession } from '../find-session.ts';
import { loadExported } from './load-exported.ts';

const FLAGS = {
  json: { type: 'boolean' },
  block: { type: 'string' },
  debug: { type: 'boolean' },
} as const;

export async function showSession(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined) {
    throw new UsageError('Usage: robota sessions show <id|name|last> [--block <id>] [--json]');
  }
  const whole = await loadExported(await findSession(reference, output));
  const session = values.block === undefined ? whole : fromBlock(whole, values.block);
  output.out.write(values.json ? `${jsonText(session)}\n` : renderMarkdown(session));
  return 0;
}

/** The conversation from a block on, or the subagent thread that contains it. */
function fromBlock(session: ExportedSession, blockId: string): ExportedSession {
  const at = session.blocks.findIndex(({ id }) => id === blockId);
  if (at !== -1) return { ...session, blocks: session.blocks.slice(at), subagents: [] };
  for (const thread of session.subagents) {
    const index = thread.blocks.findIndex(({ id }) => id === blockId);
    if (index === -1) continue;
    const subagents = [{ ...thread, blocks: thread.blocks.slice(index) }];
    return { ...session, blocks: [], subagents };
  }
  throw new Error(
    `Session ${session.id} has no block ${blockId}, or it belongs to an abandoned branch.`,
  );
}
