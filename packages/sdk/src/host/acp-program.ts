import type { AgentSetting } from '@robota-sdk/agent-transcript/architectures';
import { toAgentType } from '@robota-sdk/agent-transcript/blocks';
import { resolveSettings } from '../config/resolve-settings.ts';
import type { WorkspaceTrust } from '../config/trust.ts';

/**
 * The program that settings name for `acp:<name>`, registering the agent if it is unknown. Undefined for other agents
 * and where the settings name none.
 */
export async function findAcpProgram(
  agent: string,
  { cwd, trust }: { readonly cwd: string; readonly trust?: WorkspaceTrust | undefined },
): Promise<AgentSetting['program']> {
  if (!agent.startsWith('acp:')) return undefined;
  const name = agent.slice('acp:'.length);
  const { config } = await resolveSettings({ cwd, trust });
  const [command, ...args] = config.agents?.[name]?.command ?? [];
  if (command === undefined) return undefined;
  if (toAgentType(agent) === undefined) {
    const { registerAcpAgent } = await import('@robota-sdk/agent-transcript/architectures');
    registerAcpAgent({ name, title: agent, command: [command, ...args] });
  }
  return { command, args };
}
