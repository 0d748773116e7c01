import { scrubSession } from '@robota-sdk/agent-sdk';
import { agentTitle } from '../../arguments/read-agent.ts';
import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession, isOwn } from '../find-session.ts';

const FLAGS = { json: { type: 'boolean' }, debug: { type: 'boolean' } } as const;

/** Permanently redacts every secret in the files of a session. */
export async function scrubOne(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined)
    throw new UsageError('Usage: robota sessions scrub <id|name|last> [--json]');
  const session = await findSession(reference, output);
  if (!isOwn(session)) {
    throw new Error(
      `${session.id} is kept by ${agentTitle(session.agent)}; robota does not write into other programs' files.`,
    );
  }
  const { replaced, files, hadVault } = scrubSession(session.id);
  if (values.json) {
    output.writeLine(JSON.stringify({ id: session.id, replaced, files, hadVault }));
    return EXIT.done;
  }
  const secrets = replaced === 1 ? '1 secret was' : `${replaced} secrets were`;
  output.writeLine(`${secrets} replaced in ${session.id}; ${files} file(s) changed.`);
  if (hadVault) output.note('The values stored for resuming it were removed as well.');
  return EXIT.done;
}
