import type { Tool } from '@robota-sdk/agent-core';

/** A copy of a tool with another `execute`; its methods keep their own `this`. */
export function guardedTool(tool: Tool, execute: Tool['execute']): Tool {
  return {
    schema: tool.schema,
    execute,
    getName: () => tool.getName?.() ?? tool.schema.name,
    getDescription: () => tool.getDescription?.() ?? tool.schema.description,
    ...(tool.validate && { validate: tool.validate.bind(tool) }),
    ...(tool.validateParameters && { validateParameters: tool.validateParameters.bind(tool) }),
    ...(tool.setEventService && { setEventService: tool.setEventService.bind(tool) }),
    ...(tool.touches && { touches: tool.touches.bind(tool) }),
  };
}
