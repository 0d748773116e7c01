import { homedir } from 'node:os';
import { LocalAgentHome } from '../agent-sandbox/local-agent-home.ts';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type { AgentArchitectureAdapter } from './agent-architecture-adapter.ts';
import type { AgentSetting } from './agent-program.ts';
import { claudeProgram } from './claude-agent-sdk/run-query.ts';
import { codexProgram } from './codex/run-query.ts';
import { geminiProgram } from './gemini-cli/run-query.ts';
import { createProgramAdapter } from './program-adapter.ts';
import { robotaArchitecture } from './robota/run-query.ts';

export type CreateAdapter = (setting: AgentSetting) => AgentArchitectureAdapter;

/** The register of what can be driven; another agent is another line, or a registration at run time. */
const ARCHITECTURES = new Map<AgentArchitectureType, CreateAdapter>([
  ['claude-agent-sdk', (setting) => createProgramAdapter(claudeProgram, setting)],
  ['gemini-cli', (setting) => createProgramAdapter(geminiProgram, setting)],
  ['codex', (setting) => createProgramAdapter(codexProgram, setting)],
  ['robota', robotaArchitecture],
]);

/** Without a setting: the user's own program, settings and sessions, in the current directory. */
export function getAgentArchitectureAdapter(
  type: AgentArchitectureType,
  setting: AgentSetting = ownSetting(),
): AgentArchitectureAdapter {
  const create = ARCHITECTURES.get(type);
  if (create === undefined) throw new Error(`There is no agent architecture "${type}"`);
  return create(setting);
}

/** Plugs in what drives an architecture; our own engine comes in here, from the package that assembles it. */
export function registerAgentArchitecture(
  type: AgentArchitectureType,
  create: CreateAdapter,
): void {
  ARCHITECTURES.set(type, create);
}

function ownSetting(): AgentSetting {
  const home = new LocalAgentHome({
    root: homedir(),
    homeDirectory: homedir(),
    workspaceDirectory: process.cwd(),
  });
  return { home };
}
