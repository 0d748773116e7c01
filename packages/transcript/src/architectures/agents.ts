import type { AgentArchitectureType } from '../architecture-type.ts';
import type { TranscriptWriter } from '../hand-over/transcript-writer.ts';
import { createAcpAdapter } from './acp/architecture.ts';
import { acpInventory, acpSessionFinder } from './acp/find-sessions.ts';
import { type AcpAgent, isAcpName, KNOWN_ACP_AGENTS } from './acp/known-agents.ts';
import { acpTranscriptLayout } from './acp/paths.ts';
import type { AgentArchitectureAdapter } from './agent-architecture-adapter.ts';
import type { AgentSetting } from './agent-program.ts';
import { claudeSessionFinder } from './claude-agent-sdk/find-sessions.ts';
import { claudeInventory } from './claude-agent-sdk/inventory.ts';
import { claudeTranscriptLayout } from './claude-agent-sdk/paths.ts';
import { claudeProgram } from './claude-agent-sdk/run-query.ts';
import { claudeTranscriptWriter } from './claude-agent-sdk/write-transcript.ts';
import { codexSessionFinder } from './codex/find-sessions.ts';
import { codexInventory } from './codex/inventory.ts';
import { codexTranscriptLayout } from './codex/paths.ts';
import { codexProgram } from './codex/run-query.ts';
import { codexTranscriptWriter } from './codex/write-transcript.ts';
import {
  acpFormat,
  claudeFormat,
  codexFormat,
  geminiFormat,
  opencodeFormat,
  piFormat,
  registerTranscriptFormat,
  robotaFormat,
  type TranscriptFormat,
} from './formats.ts';
import { geminiSessionFinder } from './gemini-cli/find-sessions.ts';
import { geminiInventory } from './gemini-cli/inventory.ts';
import { geminiTranscriptLayout } from './gemini-cli/paths.ts';
import { geminiProgram } from './gemini-cli/run-query.ts';
import { geminiTranscriptWriter } from './gemini-cli/write-transcript.ts';
import { opencodeSessionFinder } from './opencode/find-sessions.ts';
import { opencodeInventory } from './opencode/inventory.ts';
import { opencodeTranscriptLayout } from './opencode/paths.ts';
import { piSessionFinder, piTranscriptLayout } from './pi/find-sessions.ts';
import { piInventory } from './pi/inventory.ts';
import { createProgramAdapter } from './program-adapter.ts';
import { robotaInventory } from './robota/inventory.ts';
import { robotaTranscriptLayout } from './robota/paths.ts';
import { robotaArchitecture } from './robota/run-query.ts';
import type { SessionFinder } from './session-finder.ts';
import type { SessionInventory } from './session-inventory.ts';
import type { TranscriptLayout } from './transcript-layout.ts';

/** Everything supported for one agent; an absent field is not supported. */
export interface AgentRegistration extends TranscriptFormat {
  readonly layout: TranscriptLayout;
  /** Finds the sessions that the program itself keeps on this machine. */
  readonly finder?: SessionFinder | undefined;
  /** Lists all sessions at once; without it `finder` is used, which reads the head of each. */
  readonly inventory?: SessionInventory | undefined;
  /** Creates the adapter that drives the program; without it sessions can only be read and followed. */
  readonly createAdapter?: CreateAdapter | undefined;
  /** Writes sessions of other agents so that the program can continue them. */
  readonly writer?: TranscriptWriter | undefined;
}

/** Creates the adapter of one agent. */
export type CreateAdapter = (setting: AgentSetting) => AgentArchitectureAdapter;

const AGENTS = new Map<string, AgentRegistration>();

/**
 * Adds an agent, or replaces one of the same type, for everything in this process that reads, finds, follows or
 * drives sessions. The returned function restores the previous registration.
 */
export function registerAgent(agent: AgentRegistration): () => void {
  const forgetFormat = registerTranscriptFormat(agent);
  const before = AGENTS.get(agent.type);
  AGENTS.set(agent.type, agent);
  return () => {
    forgetFormat();
    if (before === undefined) AGENTS.delete(agent.type);
    else AGENTS.set(agent.type, before);
  };
}

/** Throws if no agent of this type is registered. */
export function registeredAgent(type: AgentArchitectureType): AgentRegistration {
  const agent = AGENTS.get(type);
  if (agent === undefined) throw new Error(`There is no agent architecture "${type}"`);
  return agent;
}

/** All registered agents, in the order of registration. */
export function registeredAgents(): readonly AgentRegistration[] {
  return [...AGENTS.values()];
}

/** True for an agent that is registered. */
export function isAgentArchitecture(type: string): boolean {
  return AGENTS.has(type);
}

/** Adds an agent by the command line that starts it as an ACP agent; its name is `acp:<name>`. */
export function registerAcpAgent(agent: AcpAgent): () => void {
  if (!isAcpName(agent.name)) {
    throw new Error(`"${agent.name}" cannot name an agent: use letters, digits, ".", "-" and "_".`);
  }
  return registerAgent(acpRegistration(agent));
}

function acpRegistration(agent: AcpAgent): AgentRegistration {
  return {
    ...acpFormat(agent),
    layout: acpTranscriptLayout,
    finder: acpSessionFinder(agent),
    inventory: acpInventory(agent),
    createAdapter: (setting) => createAcpAdapter(agent, setting),
  };
}

const BUILT_IN: readonly AgentRegistration[] = [
  {
    ...claudeFormat,
    layout: claudeTranscriptLayout,
    finder: claudeSessionFinder,
    inventory: claudeInventory,
    createAdapter: (setting) => createProgramAdapter(claudeProgram, setting),
    writer: claudeTranscriptWriter,
  },
  {
    ...geminiFormat,
    layout: geminiTranscriptLayout,
    finder: geminiSessionFinder,
    inventory: geminiInventory,
    createAdapter: (setting) => createProgramAdapter(geminiProgram, setting),
    writer: geminiTranscriptWriter,
  },
  {
    ...codexFormat,
    layout: codexTranscriptLayout,
    finder: codexSessionFinder,
    inventory: codexInventory,
    createAdapter: (setting) => createProgramAdapter(codexProgram, setting),
    writer: codexTranscriptWriter,
  },
  {
    ...robotaFormat,
    layout: robotaTranscriptLayout,
    inventory: robotaInventory,
    createAdapter: robotaArchitecture,
  },
  { ...piFormat, layout: piTranscriptLayout, finder: piSessionFinder, inventory: piInventory },
  {
    ...opencodeFormat,
    layout: opencodeTranscriptLayout,
    finder: opencodeSessionFinder,
    inventory: opencodeInventory,
  },
  ...KNOWN_ACP_AGENTS.map(acpRegistration),
];

for (const agent of BUILT_IN) registerAgent(agent);
