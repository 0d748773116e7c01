import { readFlags } from '../../arguments/read-flags.ts';
import { renderMarkdown } from '../../export/render-markdown.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession } from './find-sessions.ts';
import { loadExported } from './load-exported.ts';

const FLAGS = { json: { type: 'boolean' }, debug: { type: 'boolean' } } as const;

export async function showSession(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined) throw new UsageError('Usage: robota sessions show <id|name>');
  const session = await loadExported(await findSession(reference));
  output.out.write(values.json ? `${JSON.stringify(session)}\n` : renderMarkdown(session));
  return 0;
}
