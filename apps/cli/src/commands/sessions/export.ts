import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readFlags } from '../../arguments/read-flags.ts';
import { EXPORT_FORMATS } from '../../export/exported-session.ts';
import { renderSession } from '../../export/render-session.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession } from '../find-session.ts';
import { loadExported } from './load-exported.ts';

const FLAGS = {
  format: { type: 'string', short: 'f' },
  output: { type: 'string', short: 'o' },
  debug: { type: 'boolean' },
} as const;

export async function exportSession(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined)
    throw new UsageError(
      'Usage: robota sessions export <id|name|last> [--format md|html|json] [--output <file>]',
    );
  const format = EXPORT_FORMATS.find((candidate) => candidate === (values.format ?? 'md'));
  if (!format)
    throw new UsageError(
      `Invalid --format "${values.format}". Valid: ${EXPORT_FORMATS.join(' | ')}`,
    );
  const session = await loadExported(await findSession(reference, output));
  const text = await renderSession(session, format);
  if (values.output === undefined) {
    output.out.write(text);
    return 0;
  }
  const path = resolve(values.output);
  // An export contains the conversation, so only the user may read it.
  await writeFile(path, text, { mode: 0o600 });
  output.note(`Written to ${path}`);
  return 0;
}
