import type {
  AssemblyScene,
  Contribution,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { Workshop } from '../assembly/workshop.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { AgentDefinitionLoader, firstOfEachName } from './agent-definition-loader.ts';
import { createAgentTool } from './agent-tool.ts';
import { BUILTIN_AGENTS } from './builtin-agents.ts';
import { unknownToolNames } from './filter-tools.ts';
import { SubagentRunner } from './subagent-runner.ts';

/** Gives a session its agents and the tool that starts them. */
export function subagentsExtension(workshop: Workshop): SessionExtension {
  return { name: 'agents', extend: (scene) => extend(workshop, scene) };
}

function extend(workshop: Workshop, scene: AssemblyScene): Contribution {
  const agents = findAgents(workshop, scene);
  const runner = new SubagentRunner(scene);
  workshop.agents = agents;
  workshop.subagents = runner;
  // Tools given in code are all the tools there are, unless agents are given too.
  if (scene.options.tools !== undefined && scene.options.agents === undefined) return {};
  tellUnknownTools(agents, scene);
  const { background } = workshop;
  const { sessionId } = scene;
  return {
    tools: [createAgentTool({ agents, runner, background, sessionId })],
    // What a subagent does passes the gate itself.
    permissions: { allow: ['Agent'] },
  };
}

function findAgents(workshop: Workshop, scene: AssemblyScene): readonly AgentDefinition[] {
  const { agents: given, bare } = scene.options;
  const ofPlugins = workshop.plugins.flatMap((plugin) => plugin.agents);
  if (given) return firstOfEachName([...given, ...ofPlugins, ...BUILTIN_AGENTS]);
  if (bare) return BUILTIN_AGENTS;
  const { agents, problems } = AgentDefinitionLoader.forDirectory(scene.cwd).load(ofPlugins);
  for (const problem of problems) scene.notice(problem);
  return agents;
}

function tellUnknownTools(agents: readonly AgentDefinition[], scene: AssemblyScene): void {
  for (const agent of agents) {
    const unknown = agent.file === undefined ? [] : unknownToolNames(scene.tools, agent);
    if (unknown.length === 0) continue;
    scene.notice(`${agent.file} names tools that do not exist: ${unknown.join(', ')}.`);
  }
}
