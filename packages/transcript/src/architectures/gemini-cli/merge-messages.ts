import type { GeminiMessage, ToolCall } from './gemini-message.ts';

/**
 * Two records of one message as one. The program rebuilds messages from the model's history and then leaves out
 * calls, tokens, thoughts and the time, so what an earlier record knew stays.
 */
export function mergeMessages(earlier: GeminiMessage, later: GeminiMessage): GeminiMessage {
  const keepsWords = earlier.sent !== undefined || later.said === undefined;
  return {
    id: earlier.id,
    type: later.type,
    timestamp: earlier.timestamp,
    said: keepsWords ? earlier.said : later.said,
    sent: keepsWords ? earlier.sent : later.sent,
    text: later.text === '' ? earlier.text : later.text,
    thoughts:
      earlier.thoughts.length > later.thoughts.length
        ? earlier.thoughts
        : datedThoughts(earlier, later),
    model: later.model ?? earlier.model,
    usage: later.usage ?? earlier.usage,
    calls: mergeCalls(earlier.calls, later.calls),
    responses: earlier.responses.length > 0 ? earlier.responses : later.responses,
    snapshot: later.snapshot ?? earlier.snapshot,
  };
}

/** Two records of one call: the later one counts, in what it says at all. */
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

/** Thoughts rebuilt from the model's history have no times; as many recorded ones are the same, with theirs. */
function datedThoughts(earlier: GeminiMessage, later: GeminiMessage): GeminiMessage['thoughts'] {
  const isRebuilt = later.thoughts.every(({ timestamp }) => timestamp === undefined);
  return isRebuilt && earlier.thoughts.length === later.thoughts.length
    ? earlier.thoughts
    : later.thoughts;
}

function mergeCalls(earlier: readonly ToolCall[], later: readonly ToolCall[]): readonly ToolCall[] {
  if (earlier.length === 0) return later;
  if (later.length === 0) return earlier;
  const merged = new Map(earlier.map((call) => [call.id, call]));
  for (const call of later) {
    const known = merged.get(call.id);
    merged.set(call.id, known === undefined ? call : mergeCall(known, call));
  }
  return [...merged.values()];
}
