import type { AgentProfile } from '../../agent-sandbox/agent-profile.ts';
import type { AgentArchitectureAdapter } from '../agent-architecture-adapter.ts';
import type { AgentProgram, AgentSetting } from '../agent-program.ts';
import { openExisting } from '../existing-file.ts';
import { createProgramAdapter } from '../program-adapter.ts';
import { type AcpAgent, acpTypeOf } from './known-agents.ts';
import { acpPaths, acpTranscriptPath } from './paths.ts';
import { AcpRunner, acpTranscriptSource } from './run-query.ts';

/** Creates the adapter for an ACP agent. Its transcript is the log we write. */
export function createAcpAdapter(agent: AcpAgent, setting: AgentSetting): AgentArchitectureAdapter {
  if (setting.systemPrompt !== undefined) throw notSupported(agent, 'system prompt');
  const paths = acpPaths(setting.home, agent.name);
  const runner = new AcpRunner(agent, setting, paths);
  const program: AgentProgram = {
    type: acpTypeOf(agent.name),
    source: acpTranscriptSource,
    paths: () => paths,
    profileFiles(profile) {
      assertProfile(agent, profile);
      runner.mcpServers = profile.mcpServers ?? [];
      return [];
    },
    transcriptFiles: (sessionId, { main }) =>
      main === undefined ? [] : [{ path: logPath(sessionId), content: main }],
    findMainTranscript: async (sessionId) => {
      const path = logPath(sessionId);
      const file = await openExisting(path);
      await file?.close();
      return file === undefined ? undefined : path;
    },
    createRunner: () => runner,
  };
  const logPath = (sessionId: string) => acpTranscriptPath(setting.home, agent.name, sessionId);
  // Only we write the log, so there is nothing to watch between turns.
  return { ...createProgramAdapter(program, setting), source: undefined };
}

/** The protocol supports MCP servers and an environment, but no other parts of a profile. */
function assertProfile(agent: AcpAgent, profile: AgentProfile): void {
  if (profile.systemPrompt !== undefined) throw notSupported(agent, 'system prompt');
  if (profile.agentMDFile !== undefined) throw notSupported(agent, 'instructions');
  if (profile.skills?.length) throw notSupported(agent, 'skills');
  if (profile.subagents?.length) throw notSupported(agent, 'subagents');
  if (profile.commands?.length) throw notSupported(agent, 'commands');
}

function notSupported({ title }: AcpAgent, what: string): Error {
  const error = new Error(`${title} cannot be given ${what} from here; use its own settings.`);
  return Object.assign(error, { code: 'not_supported' });
}
