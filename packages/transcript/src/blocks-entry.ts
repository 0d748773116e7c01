/** The part of the root entry that loads fast: blocks, their fold and agent traits, without the parsers of other agents. */
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
export { diffConversation } from './fold/diff-conversation.ts';
export { neutraliseEscapes } from './neutralise-escapes.ts';
