import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { validateSession } from '@robota-sdk/agent-sdk';
import { neutraliseEscapes } from '@robota-sdk/agent-transcript';
import { agentTitle } from '../arguments/read-agent.ts';
import { readFlags } from '../arguments/read-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { jsonText } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { findSession, isOwn } from './find-session.ts';

const FLAGS = { json: { type: 'boolean' }, debug: { type: 'boolean' } } as const;

/** Checks that a session's log has everything a replay needs, or that another agent's transcript is valid for its program. */
export async function runValidate(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined)
    throw new UsageError('Usage: robota validate <id|name|last> [--json]');
  const session = await findSession(reference, output);
  const validation = isOwn(session) ? validateSession(session.id) : await examine(session);
  output.writeLine(values.json ? jsonText(validation) : neutraliseEscapes(validation.message));
  return validation.ok ? EXIT.done : EXIT.failed;
}

async function examine({ type, agent, path }: CatalogueSession) {
  const { examineTranscript } = await import('@robota-sdk/agent-archive');
  const faults = examineTranscript({ type, path });
  const lines = faults.map(({ line, message }) => `  line ${line}: ${message}`);
  const verdict =
    faults.length === 0
      ? `The transcript is valid for ${agentTitle(agent)}.`
      : `${agentTitle(agent)} may refuse this transcript; robota doctor --repair writes a repaired copy:`;
  return { ok: faults.length === 0, faults, message: [verdict, ...lines].join('\n') };
}
