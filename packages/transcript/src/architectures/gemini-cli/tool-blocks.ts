import type { ToolExecutionStatus, ToolResultBlock, ToolUseBlock } from '../../blocks.ts';
import { asString, isRecord, type JsonRecord } from '../../json-record.ts';
import type { ToolCall, ToolResponse } from './gemini-message.ts';

/** `response` is the result the model got, wherever it was recorded. */
export function toolUseBlock(
  call: ToolCall,
  response: ToolResponse | undefined,
  timestamp: string,
): ToolUseBlock {
  const { displayName, description } = call;
  return {
    type: 'tool_use',
    id: call.id,
    timestamp,
    toolName: call.name,
    toolUseId: call.id,
    input: inputOf(call.args),
    status: statusOf(call, response),
    ...(displayName === undefined ? undefined : { displayName }),
    ...(description === undefined ? undefined : { description }),
    // For a refused call in ACP mode only the result is recorded.
    ...(call.args === undefined ? { metadata: { argumentsLost: true } } : undefined),
  };
}

/** The result, unless the call is still running. */
export function toolResultBlock(
  call: ToolCall,
  response: ToolResponse | undefined,
  timestamp: string,
): ToolResultBlock | undefined {
  const status = statusOf(call, response);
  if (response === undefined && status !== 'success' && status !== 'error') return undefined;
  const output = response?.output ?? asString(call.display) ?? '';
  const { renderOutputAsMarkdown } = call;
  const metadata = displayMetadata(call.display, output);
  return {
    type: 'tool_result',
    id: resultId(call.id),
    timestamp: call.timestamp ?? timestamp,
    toolUseId: call.id,
    output,
    isError: status === 'error',
    ...(renderOutputAsMarkdown === undefined ? undefined : { renderOutputAsMarkdown }),
    ...(metadata === undefined ? undefined : { metadata }),
  };
}

/** A further result of the same call. */
export function repeatedResult(response: ToolResponse, timestamp: string): ToolResultBlock {
  const { callId, output, isError } = response;
  return {
    type: 'tool_result',
    id: resultId(callId),
    timestamp,
    toolUseId: callId,
    output,
    isError,
  };
}

export function resultId(toolUseId: string): string {
  return `${toolUseId}:result`;
}

export function statusOf(call: ToolCall, response: ToolResponse | undefined): ToolExecutionStatus {
  switch (call.status) {
    case 'success':
      return 'success';
    case 'error':
    case 'cancelled':
      return 'error';
    default:
  }
  if (response !== undefined) return response.isError ? 'error' : 'success';
  return call.status === 'executing' ? 'running' : 'pending';
}

/** Arguments that are not an object are kept under `raw`. */
export function inputOf(args: unknown): JsonRecord {
  if (isRecord(args)) return args;
  return args === undefined || args === null ? {} : { raw: args };
}

/** What the program displays instead of the output: a text, a diff, a to-do list. */
function displayMetadata(display: unknown, output: unknown): JsonRecord | undefined {
  const isPlain = display === undefined || display === null || display === '' || display === output;
  return isPlain ? undefined : { display };
}
