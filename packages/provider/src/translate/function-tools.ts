import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { ToolSchema } from '@robota-sdk/agent-core';

export function toFunctionTools(
  tools: readonly ToolSchema[] | undefined,
): LanguageModelV3FunctionTool[] {
  return (tools ?? []).map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    // A tool schema is JSON Schema by contract; the package's type spells every keyword out.
    inputSchema: tool.parameters as LanguageModelV3FunctionTool['inputSchema'],
  }));
}
