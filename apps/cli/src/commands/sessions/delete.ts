import { createInterface } from 'node:readline/promises';
import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { deleteSession } from '@robota-sdk/agent-sdk';
import { neutraliseLine } from '@robota-sdk/agent-transcript';
import { agentTitle } from '../../arguments/read-agent.ts';
import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession, isOwn } from '../find-session.ts';

const FLAGS = { yes: { type: 'boolean', short: 'y' }, debug: { type: 'boolean' } } as const;

/** Deletes only our own sessions: the files of other agents belong to their programs. */
export async function deleteOne(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined)
    throw new UsageError('Usage: robota sessions delete <id|name> [--yes]');
  const session = await findSession(reference, output);
  if (!isOwn(session)) throw new Error(refusal(session));
  const { id } = session;
  if (!values.yes && !(await isConfirmed(id))) {
    output.note('Nothing was deleted.');
    return EXIT.failed;
  }
  deleteSession(id);
  output.writeLine(`Deleted ${id}.`);
  return EXIT.done;
}

function refusal(session: CatalogueSession): string {
  const title = agentTitle(session.agent);
  const way = DELETE_ADVICE[session.agent] ?? ownFile;
  return `${session.id} is kept by ${title}, and robota deletes only its own sessions. ${way(session)}`;
}

/** How to delete a session in each agent's own program. */
const DELETE_ADVICE: Readonly<Record<string, (session: CatalogueSession) => string>> = {
  claude: ({ path }) =>
    `Claude Code deletes sessions by age (cleanupPeriodDays in its settings); the file is ${neutraliseLine(path)}`,
  gemini: () =>
    'In its directory, gemini --list-sessions shows its number and gemini --delete-session <number> deletes it.',
  opencode: ({ id }) => `opencode session delete ${id} deletes it.`,
};

function ownFile({ agent, path }: CatalogueSession): string {
  return `${agentTitle(agent)} keeps it in ${neutraliseLine(path)}`;
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
