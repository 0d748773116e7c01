import type {
  Tool,
  ToolExecutionContext,
  ToolOutcome,
  ToolParameters,
} from '@robota-sdk/agent-core';
import type { ToolResult } from '@robota-sdk/agent-tools';

type CallOptions = Partial<Pick<ToolExecutionContext, 'cwd' | 'signal' | 'onProgress'>>;

/** Runs a tool as an agent would. */
export function run(
  tool: Tool,
  parameters: ToolParameters,
  options: CallOptions = {},
): Promise<ToolOutcome> {
  return tool.execute(parameters, {
    toolName: tool.schema.name,
    parameters,
    executionId: 'call-1',
    signal: new AbortController().signal,
    ...options,
  });
}

/** Runs a tool and reads its envelope. */
export async function call(
  tool: Tool,
  parameters: ToolParameters,
  options: CallOptions = {},
): Promise<ToolResult> {
  const { data } = await run(tool, parameters, options);
  return JSON.parse(String(data));
}
