import type { Tool } from '@robota-sdk/agent-core';
import type { AgentDefinition } from './agent-definition.ts';

/** Tools that would let a subagent start subagents, and those with which an agent talks to its person. */
const NEVER = new Set([
  'Agent',
  'robota_command_agent',
  'AskUserQuestion',
  'ExitPlanMode',
  'TodoWrite',
]);

/** First the denylist, then the allowlist, then never the tools that are for the main agent alone. */
export function filterSubagentTools(
  tools: readonly Tool[],
  { tools: allowed, disallowedTools: denied }: Pick<AgentDefinition, 'tools' | 'disallowedTools'>,
): Tool[] {
  return tools
    .filter(({ schema }) => !denied?.some((name) => covers(name, schema.name)))
    .filter(({ schema }) => !allowed || allowed.some((name) => covers(name, schema.name)))
    .filter(({ schema }) => !NEVER.has(schema.name));
}

/** Names an agent file gives that no tool has, so that somebody can be told. */
export function unknownToolNames(
  tools: readonly Tool[],
  { tools: allowed = [], disallowedTools: denied = [] }: AgentDefinition,
): string[] {
  return [...allowed, ...denied].filter(
    (name) =>
      !NEVER.has(name) &&
      !name.startsWith('mcp__') &&
      !tools.some(({ schema }) => covers(name, schema.name)),
  );
}

/** `mcp__server` stands for every tool of that server, `mcp__*` for those of all. */
function covers(name: string, tool: string): boolean {
  if (name === tool) return true;
  if (name.endsWith('*')) return tool.startsWith(name.slice(0, -1));
  return name.startsWith('mcp__') && tool.startsWith(`${name}__`);
}
