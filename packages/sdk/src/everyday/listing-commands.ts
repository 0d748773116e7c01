import type { HooksConfig } from '@robota-sdk/agent-core';
import type { SystemCommand } from '../commands/system-command.ts';
import type { AgentDefinition } from '../subagents/agent-definition.ts';

/** Lists the agents the model may start, with their origin. */
export function agentsCommand(agents: () => readonly AgentDefinition[]): SystemCommand {
  return {
    name: 'agents',
    description: 'Show the agents that can be started',
    execute() {
      const listed = agents().map(({ name, description, model, tools, file }) => ({
        name,
        description,
        model,
        tools,
        file,
      }));
      const lines = listed.map(
        ({ name, description, model, file }) =>
          `${name}${model === undefined ? '' : ` (${model})`}: ${description}\n  ${file ?? 'built in'}`,
      );
      const howTo = 'Agents are files in .robota/agents, .claude/agents and ~/.robota/agents.';
      return { success: true, message: [...lines, howTo].join('\n'), data: { agents: listed } };
    },
  };
}

/** Lists the hooks of each event. */
export function hooksCommand(hooks: () => HooksConfig): SystemCommand {
  return {
    name: 'hooks',
    description: 'Show the hooks that run',
    execute() {
      const listed = Object.entries(hooks()).flatMap(([event, groups]) =>
        groups.flatMap((group) =>
          group.hooks
            // Function hooks are internals of extensions.
            .filter(({ type }) => type !== 'function')
            .map((hook) => ({ event, matcher: group.matcher ?? '', ...described(hook) })),
        ),
      );
      const lines = listed.map(
        ({ event, matcher, type, what }) =>
          `${event}${matcher && ` (${matcher})`}: ${type} ${what}`,
      );
      const message =
        lines.join('\n') || 'There are no hooks. They are written into "hooks" of the settings.';
      return { success: true, message, data: { hooks: listed } };
    },
  };
}

function described(hook: object): { readonly type: string; readonly what: string } {
  const fields: Readonly<Record<string, unknown>> = { ...hook };
  const target = [fields.command, fields.url, fields.prompt, fields.tool].find(
    (value) => typeof value === 'string',
  );
  return { type: String(fields.type), what: typeof target === 'string' ? target : '' };
}
