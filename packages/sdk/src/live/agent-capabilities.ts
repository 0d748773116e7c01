import { agentTraits, toAgentName } from '@robota-sdk/agent-transcript/blocks';
import { type SessionCapabilities, VIEW_ONLY } from './session-capabilities.ts';

/** What a session of another agent's program can do, by the type of the agent. */
export function agentCapabilities(type: string): SessionCapabilities {
  const traits = agentTraits(type) ?? traitsOf(type);
  return {
    ...VIEW_ONLY,
    prompt: true,
    abort: true,
    queue: true,
    fork: traits?.canFork !== false,
    rename: true,
    questions: true,
    images: traits?.takesImages === true,
    deltas: toAgentName(type) !== 'gemini',
  };
}

/** All ACP agents are driven alike, including those whose program is not configured here. */
function traitsOf(type: string) {
  return type.startsWith('acp:') ? { canFork: false, takesImages: true } : undefined;
}
