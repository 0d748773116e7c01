import type { GeminiMessage, ToolCall } from './gemini-message.ts';

/**
 * Merges two records of one message. The program rebuilds messages from the model's history and then omits
 * calls, tokens, thoughts and the time, so values of the earlier record are kept.
 */
export function mergeMessages(earlier: GeminiMessage, later: GeminiMessage): GeminiMessage {
  const keepsEarlier = earlier.sent !== undefined || later.userContent === undefined;
  return {
    id: earlier.id,
    type: later.type,
    timestamp: earlier.timestamp,
    userContent: keepsEarlier ? earlier.userContent : later.userContent,
    sent: keepsEarlier ? earlier.sent : later.sent,
    text: later.text === '' ? earlier.text : later.text,
    thoughts:
      earlier.thoughts.length > later.thoughts.length
        ? earlier.thoughts
        : datedThoughts(earlier, later),
    model: later.model ?? earlier.model,
    usage: later.usage ?? earlier.usage,
    // The registry merges the calls themselves, the ledger their ids.
    calls: later.calls,
    responses: earlier.responses.length > 0 ? earlier.responses : later.responses,
    snapshot: later.snapshot ?? earlier.snapshot,
  };
}

/** Merges two records of one call; values of the later one win. */
export function mergeCall(earlier: ToolCall, later: ToolCall): ToolCall {
  return {
    id: later.id,
    name: later.name === 'unknown' ? earlier.name : later.name,
    args: later.args ?? earlier.args,
    status: later.status ?? earlier.status,
    timestamp: later.timestamp ?? earlier.timestamp,
    agentId: later.agentId ?? earlier.agentId,
    displayName: later.displayName ?? earlier.displayName,
    description: later.description ?? earlier.description,
    renderOutputAsMarkdown: later.renderOutputAsMarkdown ?? earlier.renderOutputAsMarkdown,
    display: later.display ?? earlier.display,
    response: later.response ?? earlier.response,
  };
}

/** Rebuilt thoughts have no timestamps; if the recorded ones are as many, they are the same. */
function datedThoughts(earlier: GeminiMessage, later: GeminiMessage): GeminiMessage['thoughts'] {
  const isRebuilt = later.thoughts.every(({ timestamp }) => timestamp === undefined);
  return isRebuilt && earlier.thoughts.length === later.thoughts.length
    ? earlier.thoughts
    : later.thoughts;
}
