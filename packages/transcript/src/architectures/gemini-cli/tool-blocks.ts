import type { ToolExecutionStatus, ToolResultBlock, ToolUseBlock } from '../../blocks.ts';
import { asString, isRecord, type JsonRecord } from '../../json-record.ts';
import type { ToolCall, ToolResponse } from './gemini-message.ts';

/** `response` is what the model was told, wherever that was recorded. */
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
    // Of a refused call in ACP mode only the answer is recorded.
    ...(call.args === undefined ? { metadata: { argumentsLost: true } } : undefined),
  };
}

/** The result, unless the call is still under way. */
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

/** One more answer to the same call, as the program hands it to the model. */
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

/** Arguments that are no object are kept under `raw`. */
export function inputOf(args: unknown): JsonRecord {
  if (isRecord(args)) return args;
  return args === undefined || args === null ? {} : { raw: args };
}

/** What the program shows a person instead of the output: a text, a diff, a list of to-dos. */
function displayMetadata(display: unknown, output: unknown): JsonRecord | undefined {
  const isPlain = display === undefined || display === null || display === '' || display === output;
  return isPlain ? undefined : { display };
}
