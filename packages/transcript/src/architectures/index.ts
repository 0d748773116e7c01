export type { AgentHome, HomeFile } from '../agent-sandbox/agent-home.ts';
export type {
  AgentProfile,
  ProfileCommand,
  ProfileMcpServer,
  ProfileSkill,
  ProfileSubagent,
} from '../agent-sandbox/agent-profile.ts';
export {
  AgentSandbox,
  type AgentSandboxOptions,
  type SandboxSetup,
} from '../agent-sandbox/agent-sandbox.ts';
export { LocalAgentHome, type LocalAgentHomeOptions } from '../agent-sandbox/local-agent-home.ts';
export type { AgentBusEvents, AgentEventBus } from '../agent-session/agent-event-bus.ts';
export { AgentSession } from '../agent-session/agent-session.ts';
export { AgentSessionBusyError, AgentSessionDestroyedError } from '../agent-session/errors.ts';
export type { QuestionResolution } from '../agent-session/pending-questions.ts';
export type { SentMessage } from '../agent-session/sent-message.ts';
export type {
  AgentSessionContext,
  AgentSessionOptions,
  SessionBehaviour,
} from '../agent-session/session-options.ts';
export {
  FollowedTranscript,
  type FollowOptions,
  followTranscript,
} from '../follow/follow-transcript.ts';
export type { FollowedEvent } from '../follow/transcript-follower.ts';
export { type CompactStepsOptions, compactSteps } from '../hand-over/compact-steps.ts';
export {
  type ConversationFacts,
  compareFacts,
  compareSteps,
  FIDELITY_KINDS,
  type Fidelity,
  type FidelityCount,
  type FidelityKind,
  factsOf,
} from '../hand-over/fidelity.ts';
export {
  type CallOutcome,
  type HandOverCall,
  type HandOverStep,
  type ModelPiece,
  type ModelStep,
  type PersonStep,
  type StepsOptions,
  type SummaryStep,
  sinceCompaction,
  toSteps,
} from '../hand-over/steps.ts';
export {
  estimateTokens,
  type HandOverOrigin,
  handOverNote,
  type NewTranscript,
  type TranscriptWriter,
} from '../hand-over/transcript-writer.ts';
export { type WrittenFile, writeNewFile } from '../hand-over/write-new-file.ts';
export {
  AgentSessionExistsError,
  AgentSessionLockedError,
  AgentSessionNotFoundError,
  TranscriptConflictError,
} from '../persistence/errors.ts';
export { FileTranscriptPersistence } from '../persistence/file-persistence.ts';
export { MemoryTranscriptPersistence } from '../persistence/memory-persistence.ts';
export type { SessionLock } from '../persistence/session-lock.ts';
export type {
  TranscriptPersistence,
  TranscriptPiece,
} from '../persistence/transcript-persistence.ts';
export type { AgentProcess, ProcessExit, ProgramCommand } from '../process/agent-process.ts';
export { type TreeFile, type WalkOptions, walkTree } from '../workspace/walk-tree.ts';
export type { WorkspaceChange } from '../workspace/workspace-watch.ts';
export { type AcpAgent, KNOWN_ACP_AGENTS } from './acp/known-agents.ts';
export { acpTranscriptPath } from './acp/paths.ts';
export type {
  AgentArchitectureAdapter,
  AgentPaths,
  AgentQuery,
  TranscriptFiles,
  TurnOutcome,
  WriteFile,
} from './agent-architecture-adapter.ts';
export { getAgentArchitectureAdapter, registerAgentArchitecture } from './agent-architectures.ts';
export type { AgentPermissionMode, AgentSetting } from './agent-program.ts';
export {
  type AgentRegistration,
  type CreateAdapter,
  isAgentArchitecture,
  registerAcpAgent,
  registerAgent,
  registeredAgent,
  registeredAgents,
} from './agents.ts';
export {
  type FindOptions,
  findAgentSessions,
  findOrphanTranscripts,
  locateTranscript,
  resumeCommand,
} from './find-agent-sessions.ts';
export { parseTranscriptFile, readLastBlocks } from './parse-transcript-file.ts';
export type {
  AgentPermissionAnswer,
  AskPermission,
  PermissionQuestion,
} from './permission-question.ts';
export { ProgramFailedError, ProgramMissingError, ProgramVersionError } from './program-errors.ts';
export { readFamily } from './read-family.ts';
export { SUMMARY_MARK, toMessages } from './robota/write-messages.ts';
export type { FinderPlace, FoundTranscript, SessionFinder } from './session-finder.ts';
export {
  createOriginMemory,
  type Inventory,
  type InventoryFailure,
  type OriginMemory,
  type SessionInventory,
  type TranscriptFamily,
} from './session-inventory.ts';
export { type InventoryOptions, takeInventory } from './take-inventory.ts';
export type { SubagentFile, TranscriptLayout } from './transcript-layout.ts';
