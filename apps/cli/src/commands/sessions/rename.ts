import { join } from 'node:path';
import { renameSession, robotaHome } from '@robota-sdk/agent-sdk';
import { neutraliseLine } from '@robota-sdk/agent-transcript';
import { readFlags } from '../../arguments/read-flags.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession } from '../find-session.ts';

export async function renameOne(args: readonly string[], output: Output): Promise<number> {
  const { positionals } = readFlags(args, { debug: { type: 'boolean' } } as const);
  const [reference, ...words] = positionals;
  const name = words.join(' ').trim();
  if (reference === undefined || name === '') {
    throw new UsageError('Usage: robota sessions rename <id|name|last> <new name>');
  }
  const { type, id } = await findSession(reference, output);
  await giveName({ type, id }, name);
  output.writeLine(`${id} is now named "${neutraliseLine(name)}".`);
  return 0;
}

/** Our own sessions store their name; names for other agents' sessions are stored on our side. */
export async function giveName(
  session: { readonly type: string; readonly id: string },
  name: string,
): Promise<void> {
  if (session.type === 'robota') {
    renameSession(session.id, name);
    return;
  }
  const { LabelFile } = await import('@robota-sdk/agent-archive');
  await new LabelFile(join(robotaHome(), 'labels.json')).set(session, { name });
}
