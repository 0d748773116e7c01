import { listModels, type ModelProvider } from '@robota-sdk/agent-core';

/** Whose models the programs of other agents ask; those that take anybody's are not listed. */
const VENDORS: Readonly<Record<string, ModelProvider>> = {
  claude: { name: 'claude', modelFamily: 'anthropic' },
  codex: { name: 'codex', modelFamily: 'openai' },
  gemini: { name: 'gemini', modelFamily: 'google' },
};

/** The models that can be asked for in a session of an agent, as far as the table knows them. */
export function offeredModels(
  provider: ModelProvider,
): (agent: string) => Promise<readonly string[]> {
  return async (agent) => {
    const asked = agent === 'robota' ? provider : VENDORS[agent];
    return asked ? (await listModels(asked)).map(({ id }) => id) : [];
  };
}
