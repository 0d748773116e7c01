import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { agentTitle } from '../../arguments/read-agent.ts';
import { readFlags } from '../../arguments/read-flags.ts';
import type { Output } from '../../output.ts';
import { createProvider } from '../../provider/create-provider.ts';
import { chooseProvider } from '../../provider/provider-choice.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession, isOwn } from '../find-session.ts';

const FLAGS = { name: { type: 'string', short: 'n' }, debug: { type: 'boolean' } } as const;

/** Copies a session to a new id; the original stays as it is. Nobody is asked anything, so no provider is needed. */
export async function forkOne(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined)
    throw new UsageError('Usage: robota sessions fork <id|name|last> [--name <name>]');
  const past = await findSession(reference, output);
  if (!isOwn(past)) throw new Error(refusal(past));
  const { provider } = await createProvider(
    chooseProvider({
      provider: 'demo',
      model: undefined,
      baseUrl: undefined,
      profile: undefined,
      profiles: {},
      models: [],
      environment: {},
    }),
  );
  const session = new InteractiveSession({
    cwd: process.cwd(),
    provider,
    bare: true,
    persistence: true,
    resumeSessionId: past.id,
    forkSession: true,
    sessionName: values.name,
  });
  await session.whenReady();
  await session.shutdown({ reason: 'other' });
  output.writeLine(session.sessionId);
  output.note(`Go on with: robota -r ${session.sessionId}`);
  return 0;
}

function refusal({ agent, id }: CatalogueSession): string {
  const title = agentTitle(agent);
  const way = OWN_WAYS[agent]?.(id);
  const advice = way ? `${way} does` : `robota resume ${id} goes on with it in ${title}`;
  return `${id} is kept by ${title}, and robota does not fork it; ${advice}.`;
}

/** Programs that fork a session by a command of their own. */
const OWN_WAYS: Readonly<Record<string, (id: string) => string>> = {
  claude: (id) => `claude --resume ${id} --fork-session`,
  codex: (id) => `codex fork ${id}`,
};
