import type { LanguageModelV3Message } from '@ai-sdk/provider';
import type { AssistantMessage, MessagePart, ToolCall } from '@robota-sdk/agent-core';
import { fromServerPart } from './server-tool-part.ts';
import type { PromptRules } from './to-prompt.ts';
import { parseToolArguments } from './tool-arguments.ts';
import { vendorOptions } from './vendor-options.ts';
import { wellFormed } from './well-formed.ts';

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/** Text, thinking and calls of an assistant message, without data that only another vendor family accepts. */
export function toAssistantContent(
  message: AssistantMessage,
  rules: PromptRules,
): AssistantContent {
  const parts: readonly MessagePart[] = message.parts ?? [
    { type: 'text', text: message.content ?? '' },
  ];
  return [
    ...parts.flatMap((part) => toContentPart(part, parts, rules)),
    ...(message.toolCalls ?? []).map((call) => toCallPart(call, rules)),
  ];
}

function toContentPart(
  part: MessagePart,
  siblings: readonly MessagePart[],
  rules: PromptRules,
): AssistantContent {
  switch (part.type) {
    case 'text':
      if (part.text.trim() === '') return [];
      return [{ type: 'text', text: wellFormed(part.text), ...vendorOptions(part.vendor, rules) }];
    case 'thinking': {
      const options = vendorOptions(part.vendor, rules);
      return options ? [{ type: 'reasoning', text: part.text, ...options }] : [];
    }
    case 'vendor': {
      const restored = fromServerPart(part, siblings, rules);
      return restored ? [restored] : [];
    }
    case 'image_inline':
      return [{ type: 'file', mediaType: part.mimeType, data: part.data }];
    case 'image_uri':
    case 'file_inline':
      return [];
  }
}

function toCallPart(call: ToolCall, rules: PromptRules): AssistantContent[number] {
  return {
    type: 'tool-call',
    toolCallId: rules.toolCallId(call.id),
    toolName: call.function.name,
    input: parseToolArguments(call.function.arguments),
    ...vendorOptions(call.vendor, rules),
  };
}
