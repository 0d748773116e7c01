import { createQuery, resolveSettings } from '@robota-sdk/agent-sdk';
import { createProvider } from '../../provider/create-provider.ts';
import { chooseProvider } from '../../provider/provider-choice.ts';

const TASK = `Summarise this conversation between a person and an agent, so that another agent can go on with it:
what is wanted, what was decided and why, what was done to which files, what failed, what is left.`;

/** Summarises the start of a conversation with the model from the settings. */
export async function summarise(conversation: string): Promise<string> {
  const cwd = process.cwd();
  const { config } = await resolveSettings({ cwd });
  const choice = chooseProvider({
    provider: undefined,
    model: undefined,
    baseUrl: undefined,
    profile: config.provider,
    profiles: config.providers ?? {},
    models: config.models ?? [],
    environment: process.env,
  });
  if (choice.kind === 'demo') {
    throw new Error(
      'A summary needs a model: set a key, or leave it to the program with --when-long leave.',
    );
  }
  const { provider, model } = await createProvider(choice);
  const query = createQuery({ provider, model, cwd, bare: true, tools: [] });
  return query(`${TASK}\n\n<conversation>\n${conversation}\n</conversation>`);
}
