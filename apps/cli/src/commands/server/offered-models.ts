import { listModels, type ModelProvider } from '@robota-sdk/agent-core';

/** The model vendor of each agent; agents that accept models of any vendor are not listed. */
const VENDORS: Readonly<Record<string, ModelProvider>> = {
  claude: { name: 'claude', modelFamily: 'anthropic' },
  codex: { name: 'codex', modelFamily: 'openai' },
  gemini: { name: 'gemini', modelFamily: 'google' },
};

/** The known models that a session of an agent can use. */
export function offeredModels(
  provider: ModelProvider,
): (agent: string) => Promise<readonly string[]> {
  return async (agent) => {
    const asked = agent === 'robota' ? provider : VENDORS[agent];
    return asked ? (await listModels(asked)).map(({ id }) => id) : [];
  };
}
