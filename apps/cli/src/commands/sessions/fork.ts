import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { readFlags } from '../../arguments/read-flags.ts';
import type { Output } from '../../output.ts';
import { createProvider } from '../../provider/create-provider.ts';
import { chooseProvider } from '../../provider/provider-choice.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession, isOwn } from '../find-session.ts';

const FLAGS = { name: { type: 'string', short: 'n' }, debug: { type: 'boolean' } } as const;

/** Copies a session of any agent to one of ours under a new id; the original is unchanged. No model is called, so no provider is needed. */
export async function forkOne(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined)
    throw new UsageError('Usage: robota sessions fork <id|name|last> [--name <name>]');
  const past = await findSession(reference, output);
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
    ...(await startOf(past)),
    sessionName: values.name,
  });
  await session.whenReady();
  await session.shutdown({ reason: 'other' });
  output.writeLine(session.sessionId);
  output.note(`Continue with: robota -r ${session.sessionId}`);
  return 0;
}

/** Another agent's session is converted; the original is only read. */
async function startOf(past: CatalogueSession) {
  if (isOwn(past)) return { resumeSessionId: past.id, forkSession: true };
  const { forkForeign } = await import('../hand-over/fork-foreign.ts');
  return (await forkForeign(past, process.cwd())).start;
}
