import { InteractiveSession, resolveSessionReference } from '@robota-sdk/agent-sdk';
import { readFlags } from '../../arguments/read-flags.ts';
import type { Output } from '../../output.ts';
import { createProvider } from '../../provider/create-provider.ts';
import { chooseProvider } from '../../provider/provider-choice.ts';
import { UsageError } from '../../usage-error.ts';

const FLAGS = { name: { type: 'string', short: 'n' }, debug: { type: 'boolean' } } as const;

/** Copies a session to a new id; the original stays as it is. Nobody is asked anything, so no provider is needed. */
export async function forkOne(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined)
    throw new UsageError('Usage: robota sessions fork <id|name> [--name <name>]');
  const cwd = process.cwd();
  const { provider } = await createProvider(
    chooseProvider({
      provider: 'demo',
      model: undefined,
      baseUrl: undefined,
      profile: undefined,
      profiles: {},
      environment: {},
    }),
  );
  const session = new InteractiveSession({
    cwd,
    provider,
    bare: true,
    persistence: true,
    resumeSessionId: resolveSessionReference(reference, { cwd }),
    forkSession: true,
    sessionName: values.name,
  });
  await session.whenReady();
  await session.shutdown({ reason: 'other' });
  output.writeLine(session.sessionId);
  output.note(`Go on with: robota -r ${session.sessionId}`);
  return 0;
}
