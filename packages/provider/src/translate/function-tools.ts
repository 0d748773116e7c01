import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { ChatOptions, ToolSchema } from '@robota-sdk/agent-core';

export function toFunctionTools(
  tools: readonly ToolSchema[] | undefined,
): LanguageModelV3FunctionTool[] {
  return (tools ?? []).map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    // A tool schema is JSON Schema by contract; the package's type lists every keyword.
    inputSchema: tool.parameters as LanguageModelV3FunctionTool['inputSchema'],
  }));
}

/** Omitted when the model may choose, because that is every vendor's default. */
export function toolChoiceOf(options: ChatOptions): Pick<LanguageModelV3CallOptions, 'toolChoice'> {
  return options.toolChoice === 'none' ? { toolChoice: { type: 'none' } } : {};
}
