import { createInterface } from 'node:readline/promises';
import { deleteSession, resolveSessionReference } from '@robota-sdk/agent-sdk';
import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';

const FLAGS = { yes: { type: 'boolean', short: 'y' }, debug: { type: 'boolean' } } as const;

/** Only our own sessions: what other programs keep is theirs. */
export async function deleteOne(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined)
    throw new UsageError('Usage: robota sessions delete <id|name> [--yes]');
  const id = resolveSessionReference(reference, { cwd: process.cwd() });
  if (!values.yes && !(await isConfirmed(id))) {
    output.note('Nothing was deleted.');
    return EXIT.failed;
  }
  deleteSession(id);
  output.writeLine(`Deleted ${id}.`);
  return EXIT.done;
}

async function isConfirmed(id: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(`Add --yes to delete session ${id} without being asked.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`Delete session ${id} with its log? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}
