import { renameSession, resolveSessionReference } from '@robota-sdk/agent-sdk';
import { readFlags } from '../../arguments/read-flags.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';

export async function renameOne(args: readonly string[], output: Output): Promise<number> {
  const { positionals } = readFlags(args, { debug: { type: 'boolean' } } as const);
  const [reference, ...words] = positionals;
  const name = words.join(' ').trim();
  if (reference === undefined || name === '') {
    throw new UsageError('Usage: robota sessions rename <id|name> <new name>');
  }
  const id = resolveSessionReference(reference, { cwd: process.cwd() });
  renameSession(id, name);
  output.writeLine(`${id} is now named "${name}".`);
  return 0;
}
