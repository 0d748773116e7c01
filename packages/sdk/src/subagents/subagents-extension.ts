import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { AgentDefinitionLoader, firstOfEachName } from './agent-definition-loader.ts';
import { createAgentTool } from './agent-tool.ts';
import { BUILTIN_AGENTS } from './builtin-agents.ts';
import { unknownToolNames } from './filter-tools.ts';
import { SubagentRunner } from './subagent-runner.ts';

/** Adds the agents and the tool that starts them. */
export function subagentsExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'agents', extend: (context) => extend(shared, context) };
}

function extend(shared: SharedExtensions, context: ExtensionContext): Contribution {
  const agents = findAgents(shared, context);
  const runner = new SubagentRunner(context);
  shared.agents = agents;
  shared.subagents = runner;
  // Without built-in tools there is no Agent tool either, unless agents are given in code.
  if (context.options.builtinTools === false && context.options.agents === undefined) return {};
  reportUnknownTools(agents, context);
  const { background } = shared;
  const { sessionId } = context;
  return {
    tools: [createAgentTool({ agents, runner, background, sessionId })],
    // Every tool call of a subagent passes the gate itself.
    permissions: { allow: ['Agent'] },
  };
}

function findAgents(
  shared: SharedExtensions,
  context: ExtensionContext,
): readonly AgentDefinition[] {
  const { agents: given, bare } = context.options;
  const ofPlugins = shared.plugins.flatMap((plugin) => plugin.agents);
  if (given) return firstOfEachName([...given, ...ofPlugins, ...BUILTIN_AGENTS]);
  if (bare) return firstOfEachName([...ofPlugins, ...BUILTIN_AGENTS]);
  const { agents, problems } = AgentDefinitionLoader.forDirectory(context.cwd).load(ofPlugins);
  for (const problem of problems) context.notice(problem);
  return agents;
}

function reportUnknownTools(agents: readonly AgentDefinition[], context: ExtensionContext): void {
  for (const agent of agents) {
    const unknown = agent.file === undefined ? [] : unknownToolNames(context.tools, agent);
    if (unknown.length === 0) continue;
    context.notice(`${agent.file} names tools that do not exist: ${unknown.join(', ')}.`);
  }
}
