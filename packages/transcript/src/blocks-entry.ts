/** Blocks, their fold and what is known of agents, without the parsers of other agents: a part of the root entry that loads at once. */
export type { AgentTraits } from './architectures/agent-traits.ts';
export {
  agentTraits,
  knownAgents,
  toAgentName,
  toAgentType,
} from './architectures/agent-traits.ts';
export { BlocksFold } from './architectures/robota/blocks-fold.ts';
export { parseRobotaTranscripts } from './architectures/robota/parse-transcript.ts';
export { applyStreamEvent } from './fold/apply-stream-event.ts';
export { EMPTY_CONVERSATION } from './fold/conversation-state.ts';
export { neutraliseEscapes } from './neutralise-escapes.ts';
