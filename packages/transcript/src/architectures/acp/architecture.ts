import type { AgentProfile } from '../../agent-sandbox/agent-profile.ts';
import type { AgentArchitectureAdapter } from '../agent-architecture-adapter.ts';
import type { AgentProgram, AgentSetting } from '../agent-program.ts';
import { openExisting } from '../existing-file.ts';
import { createProgramAdapter } from '../program-adapter.ts';
import { type AcpAgent, acpTypeOf } from './known-agents.ts';
import { acpPaths, acpTranscriptPath } from './paths.ts';
import { AcpRunner, acpTranscriptSource } from './run-query.ts';

/** Any agent that speaks the Agent Client Protocol. Its transcript is the log we write of it. */
export function createAcpAdapter(agent: AcpAgent, setting: AgentSetting): AgentArchitectureAdapter {
  if (setting.systemPrompt !== undefined) throw takesNo(agent, 'system prompt');
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
  // Nobody but us writes the log, so there is nothing to watch between turns.
  return { ...createProgramAdapter(program, setting), source: undefined };
}

/** The protocol carries MCP servers and an environment; other parts of a profile have no place in it. */
function assertProfile(agent: AcpAgent, profile: AgentProfile): void {
  if (profile.systemPrompt !== undefined) throw takesNo(agent, 'system prompt');
  if (profile.agentMDFile !== undefined) throw takesNo(agent, 'instructions');
  if (profile.skills?.length) throw takesNo(agent, 'skills');
  if (profile.subagents?.length) throw takesNo(agent, 'subagents');
  if (profile.commands?.length) throw takesNo(agent, 'commands');
}

function takesNo({ title }: AcpAgent, what: string): Error {
  const error = new Error(`${title} cannot be given ${what} from here; use its own settings.`);
  return Object.assign(error, { code: 'not_supported' });
}
