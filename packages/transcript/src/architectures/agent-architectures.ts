import { homedir } from 'node:os';
import { LocalAgentHome } from '../agent-sandbox/local-agent-home.ts';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type { AgentArchitectureAdapter } from './agent-architecture-adapter.ts';
import type { AgentSetting } from './agent-program.ts';
import { type CreateAdapter, registerAgent, registeredAgent } from './agents.ts';

/** By default the user's own program, settings and sessions, in the current directory. */
export function getAgentArchitectureAdapter(
  type: AgentArchitectureType,
  setting: AgentSetting = defaultSetting(),
): AgentArchitectureAdapter {
  const { createAdapter, title } = registeredAgent(type);
  if (createAdapter === undefined) {
    throw new Error(`Sessions of ${title} can be read and followed, not driven`);
  }
  return createAdapter(setting);
}

/** Sets the adapter that drives a registered agent; the sdk package registers our own engine this way. */
export function registerAgentArchitecture(
  type: AgentArchitectureType,
  createAdapter: CreateAdapter,
): () => void {
  return registerAgent({ ...registeredAgent(type), createAdapter });
}

function defaultSetting(): AgentSetting {
  const home = new LocalAgentHome({
    root: homedir(),
    homeDirectory: homedir(),
    workspaceDirectory: process.cwd(),
  });
  return { home };
}
