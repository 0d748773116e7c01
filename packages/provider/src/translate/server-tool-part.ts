import type {
  JSONValue,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResult,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { JsonObject, MessagePart, VendorPart } from '@robota-sdk/agent-core';
import type { PromptRules } from './to-prompt.ts';
import { parseToolArguments } from './tool-arguments.ts';

/** A call executed by the vendor, kept so that the next request can repeat it. */
export function serverCallPart(call: LanguageModelV3ToolCall, family: string): VendorPart {
  const data = {
    kind: 'server_tool_call',
    id: call.toolCallId,
    name: call.toolName,
    input: parseToolArguments(call.input),
    ...(call.providerMetadata ? { metadata: call.providerMetadata } : {}),
  };
  return { type: 'vendor', vendor: { family, data: data as JsonObject } };
}

export function serverResultPart(result: LanguageModelV3ToolResult, family: string): VendorPart {
  const data = {
    kind: 'server_tool_result',
    id: result.toolCallId,
    name: result.toolName,
    result: result.result,
    ...(result.isError ? { isError: true } : {}),
    ...(result.providerMetadata ? { metadata: result.providerMetadata } : {}),
  };
  return { type: 'vendor', vendor: { family, data: data as JsonObject } };
}

export type ServerToolPart = LanguageModelV3ToolCallPart | LanguageModelV3ToolResultPart;

/** The part for the same vendor family; `undefined` for other families and calls without a result. */
export function fromServerPart(
  part: VendorPart,
  siblings: readonly MessagePart[],
  rules: PromptRules,
): ServerToolPart | undefined {
  if (part.vendor.family !== rules.family) return undefined;
  const { data } = part.vendor;
  if (data.kind === 'server_tool_result') return toResultPart(data);
  return isAnswered(data.id, siblings) ? toCallPart(data) : undefined;
}

function isAnswered(id: unknown, siblings: readonly MessagePart[]): boolean {
  return siblings.some(
    (part) =>
      part.type === 'vendor' &&
      part.vendor.data.kind === 'server_tool_result' &&
      part.vendor.data.id === id,
  );
}

function toCallPart(data: JsonObject): LanguageModelV3ToolCallPart {
  return {
    type: 'tool-call',
    toolCallId: String(data.id),
    toolName: String(data.name),
    input: data.input,
    providerExecuted: true,
    ...metadataOf(data),
  };
}

function toResultPart(data: JsonObject): LanguageModelV3ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: String(data.id),
    toolName: String(data.name),
    output: { type: data.isError ? 'error-json' : 'json', value: data.result as JSONValue },
    ...metadataOf(data),
  };
}

function metadataOf(data: JsonObject): Pick<LanguageModelV3ToolCallPart, 'providerOptions'> {
  if (!data.metadata) return {};
  // Stored by us from the package's own metadata, so it has the package's type.
  return { providerOptions: data.metadata as NonNullable<ServerToolPart['providerOptions']> };
}
