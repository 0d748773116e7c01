import type { BackgroundTasks } from '../background/background-tasks.ts';
import type { SessionCommands } from '../background/session-commands.ts';
import type { LoadedBundlePlugin } from '../plugins/bundle-plugin.ts';
import type { AgentDefinition } from '../subagents/agent-definition.ts';
import type { SubagentRunner } from '../subagents/subagent-runner.ts';

/** What the extensions of a session share with later ones. */
export interface SharedExtensions {
  plugins: readonly LoadedBundlePlugin[];
  agents: readonly AgentDefinition[];
  subagents?: SubagentRunner;
  background?: BackgroundTasks;
  /** Set when commands may continue in the background. */
  commands?: SessionCommands;
}
