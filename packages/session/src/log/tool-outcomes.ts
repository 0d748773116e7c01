import {
  type AssistantMessage,
  createToolMessage,
  type Message,
  type ToolMessage,
} from '@robota-sdk/agent-core';

/** The end of one tool call as the log tells it. */
export interface LoggedToolResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly success: boolean;
  readonly result?: unknown;
  readonly error?: string;
  readonly errorCode?: string;
  readonly timestamp: string;
}

/** Results that were recorded when a crash kept them out of the conversation. */
export function uncommittedResults(
  messages: readonly Message[],
  logged: ReadonlyMap<string, LoggedToolResult>,
): ToolMessage[] {
  return openCallIds(messages).flatMap((id) => {
    const result = logged.get(id);
    return result ? [fromLog(result)] : [];
  });
}

/** Only the last assistant message can have open calls: a round ends with all its results. */
function openCallIds(messages: readonly Message[]): string[] {
  const at = messages.findLastIndex((message) => message.role === 'assistant');
  const calls = (messages[at] as AssistantMessage | undefined)?.toolCalls ?? [];
  const answered = new Set(
    messages
      .slice(at + 1)
      .flatMap((message) => (message.role === 'tool' ? message.toolCallId : [])),
  );
  return calls.map((call) => call.id).filter((id) => !answered.has(id));
}

function fromLog(result: LoggedToolResult): ToolMessage {
  const { toolName, success, error, errorCode } = result;
  const message = createToolMessage(resultText(result), result.toolCallId, {
    name: toolName,
    metadata: { success, toolName, ...(error && { error }), ...(errorCode && { errorCode }) },
  });
  return { ...message, timestamp: new Date(result.timestamp) };
}

function resultText({ success, result, error }: LoggedToolResult): string {
  if (!success && error !== undefined) return `Error: ${error}`;
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}
