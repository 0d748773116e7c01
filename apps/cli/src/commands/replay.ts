import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { redact, replaySession } from '@robota-sdk/agent-sdk';
import { readFlags } from '../arguments/read-flags.ts';
import type { ExportedSession } from '../export/exported-session.ts';
import { renderMarkdown } from '../export/render-markdown.ts';
import type { Output } from '../output.ts';
import { jsonText } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { findSession, isOwn } from './find-session.ts';
import { loadExported } from './sessions/load-exported.ts';

const FLAGS = { json: { type: 'boolean' }, debug: { type: 'boolean' } } as const;

/** Replays a session from its log or transcript alone: no model is called and no tool is run. */
export async function runReplay(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined) throw new UsageError('Usage: robota replay <id|name|last> [--json]');
  const found = await findSession(reference, output);
  const session = isOwn(found) ? replayed(found) : await loadExported(found);
  if (values.json) {
    for (const block of session.blocks) output.writeLine(jsonText(block));
    return 0;
  }
  output.out.write(renderMarkdown(session));
  return 0;
}

function replayed({ id }: CatalogueSession): ExportedSession {
  const { blocks, subagents, record } = replaySession(id);
  const superseded: ExportedSession['superseded'] = [];
  const { name, cwd, updatedAt } = record;
  return redact({ id, agent: 'robota', name, cwd, updatedAt, blocks, subagents, superseded });
}
