import type { Tool } from '@robota-sdk/agent-core';
import type { SessionExtension } from '@robota-sdk/agent-sdk';

/** Reports the output of running tools, by tool-use id. */
export function liveOutput(report: (toolUseId: string, text: string) => void): SessionExtension {
  return {
    name: 'Live output',
    extend: ({ ready }) => {
      const watched = new WeakSet<Tool>();
      return {
        // Tools may be added later, as those of MCP servers are; each is watched from the next prompt on.
        preparePrompt(prompt) {
          const { tools, setTools } = ready();
          if (tools.some((tool) => !watched.has(tool))) {
            const all = tools.map((tool) => (watched.has(tool) ? tool : watch(tool, report)));
            for (const tool of all) watched.add(tool);
            setTools(all);
          }
          return prompt;
        },
      };
    },
  };
}

function watch(tool: Tool, report: (toolUseId: string, text: string) => void): Tool {
  return {
    schema: tool.schema,
    execute: (parameters, context) =>
      tool.execute(parameters, {
        ...context,
        onProgress: (text) => {
          context.onProgress?.(text);
          report(context.executionId, text);
        },
      }),
    getName: () => tool.getName?.() ?? tool.schema.name,
    getDescription: () => tool.getDescription?.() ?? tool.schema.description,
    ...(tool.validate && { validate: (given) => tool.validate?.(given) ?? true }),
    ...(tool.validateParameters && {
      validateParameters: (given) =>
        tool.validateParameters?.(given) ?? { isValid: true, errors: [] },
    }),
    ...(tool.setEventService && { setEventService: (service) => tool.setEventService?.(service) }),
    ...(tool.touches && {
      touches: async (given, context) => (await tool.touches?.(given, context)) ?? [],
    }),
  };
}
