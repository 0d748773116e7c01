import type { BackgroundTasks } from '../background/background-tasks.ts';
import type { SessionCommands } from '../background/session-commands.ts';
import type { LoadedBundlePlugin } from '../plugins/bundle-plugin.ts';
import type { AgentDefinition } from '../subagents/agent-definition.ts';
import type { SubagentRunner } from '../subagents/subagent-runner.ts';

/** What one extension of a session leaves for those after it. */
export interface SharedExtensions {
  plugins: readonly LoadedBundlePlugin[];
  agents: readonly AgentDefinition[];
  subagents?: SubagentRunner;
  background?: BackgroundTasks;
  /** Given where commands may go on in the background. */
  commands?: SessionCommands;
}
