import { readFlags } from '../../arguments/read-flags.ts';
import type { Output } from '../../output.ts';
import { collectSessions } from './find-sessions.ts';
import { type FoundSession, sessionTitle } from './found-session.ts';
import { timeAgo } from './time-ago.ts';

const FLAGS = {
  all: { type: 'boolean', short: 'a' },
  agent: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

export async function listSessions(args: readonly string[], output: Output): Promise<number> {
  const { values } = readFlags(args, FLAGS);
  const isEverywhere = values.all === true || values.agent !== undefined;
  const sessions = await collectSessions({
    cwd: isEverywhere ? undefined : process.cwd(),
    agents: values.agent ?? (isEverywhere ? undefined : ['robota']),
  });
  if (values.json) {
    output.writeLine(JSON.stringify(sessions));
    return 0;
  }
  // One write for all: thousands of small ones take longer than finding the sessions.
  if (sessions.length > 0) output.writeLine(sessions.map(listLine).join('\n'));
  if (sessions.length === 0) {
    output.note(
      isEverywhere
        ? 'No sessions found.'
        : 'No sessions in this directory; --all lists every one on this machine.',
    );
  }
  return 0;
}

function listLine(session: FoundSession): string {
  const title = sessionTitle(session).slice(0, 60);
  const facts = [
    timeAgo(session.updatedAt),
    session.messageCount && `${session.messageCount} messages`,
    session.cwd,
  ];
  return `${session.id}  ${session.agent}  ${title}  (${facts.filter(Boolean).join(', ')})`;
}
