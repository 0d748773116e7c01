import type { Tool } from '@robota-sdk/agent-core';
import type { AgentDefinition } from './agent-definition.ts';

/** Tools that start subagents, and tools for talking to the user. */
const MAIN_AGENT_TOOLS = new Set([
  'Agent',
  'robota_command_agent',
  'AskUserQuestion',
  'ExitPlanMode',
  'TodoWrite',
]);

/** Applies the denylist and the allowlist, and removes the tools reserved for the main agent. */
export function filterSubagentTools(
  tools: readonly Tool[],
  { tools: allowed, disallowedTools: denied }: Pick<AgentDefinition, 'tools' | 'disallowedTools'>,
): Tool[] {
  return tools
    .filter(({ schema }) => !denied?.some((name) => covers(name, schema.name)))
    .filter(({ schema }) => !allowed || allowed.some((name) => covers(name, schema.name)))
    .filter(({ schema }) => !MAIN_AGENT_TOOLS.has(schema.name));
}

/** Tool names in an agent file that match no tool. */
export function unknownToolNames(
  tools: readonly Tool[],
  { tools: allowed = [], disallowedTools: denied = [] }: AgentDefinition,
): string[] {
  return [...allowed, ...denied].filter(
    (name) =>
      !MAIN_AGENT_TOOLS.has(name) &&
      !name.startsWith('mcp__') &&
      !tools.some(({ schema }) => covers(name, schema.name)),
  );
}

/** `mcp__server` covers every tool of that server, `mcp__*` the tools of all servers. */
function covers(name: string, tool: string): boolean {
  if (name === tool) return true;
  if (name.endsWith('*')) return tool.startsWith(name.slice(0, -1));
  return name.startsWith('mcp__') && tool.startsWith(`${name}__`);
}
