import { resolveSessionReference, validateSession } from '@robota-sdk/agent-sdk';
import { readFlags } from '../arguments/read-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';

const FLAGS = { json: { type: 'boolean' }, debug: { type: 'boolean' } } as const;

/** Says whether a session's log holds everything a replay needs. */
export async function runValidate(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined) throw new UsageError('Usage: robota validate <id|name> [--json]');
  const validation = validateSession(resolveSessionReference(reference, { cwd: process.cwd() }));
  output.writeLine(values.json ? JSON.stringify(validation) : validation.message);
  return validation.ok ? EXIT.done : EXIT.failed;
}
