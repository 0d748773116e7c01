import type {
  ContentPart,
  ConversationBlock,
  MessageContent,
  ToolResultBlock,
} from '../../blocks.ts';
import {
  asArray,
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import type { TokenUsage } from '../../session-metadata.ts';

/** Text or thinking of an assistant message, in the order the model produced it. */
export interface ReplyPart {
  readonly type: 'assistant_text' | 'thinking';
  readonly text: string;
}

export function userBlock(message: JsonRecord, timestamp: string): ConversationBlock {
  const id = asId(message.id) ?? `user:${timestamp}`;
  return { type: 'user_message', id, timestamp, content: contentOf(message) };
}

export function replyParts(message: JsonRecord): readonly ReplyPart[] {
  const parts = asArray(message.parts).map(asRecord).flatMap(toReplyPart);
  const content = asString(message.content) ?? '';
  if (content === '' || parts.some((part) => part.type === 'assistant_text')) return parts;
  return [...parts, { type: 'assistant_text', text: content }];
}

/** The calls of an assistant message. A call of the Agent tool becomes a subagent block. */
export function callBlocks(message: JsonRecord, timestamp: string): ConversationBlock[] {
  return asArray(message.toolCalls).flatMap((value) => {
    const call = asRecord(value);
    const toolUseId = asId(call.id);
    if (toolUseId === undefined) return [];
    const { name, arguments: written } = asRecord(call.function);
    const toolName = asString(name) ?? '';
    const input = parseInput(asString(written) ?? '');
    if (toolName === 'Agent') return [subagentBlock(toolUseId, input, timestamp)];
    const status = 'pending' as const;
    return [{ type: 'tool_use', id: toolUseId, timestamp, toolName, toolUseId, input, status }];
  });
}

export function resultBlock(message: JsonRecord, timestamp: string): ToolResultBlock {
  const toolUseId = asId(message.toolCallId) ?? asId(message.id) ?? `result:${timestamp}`;
  const errorCode = asString(asRecord(message.metadata).errorCode);
  return {
    type: 'tool_result',
    id: `${toolUseId}:result`,
    timestamp,
    toolUseId,
    output: message.content ?? '',
    isError: isFailure(message),
    // Distinguishes a denied call from a failed one.
    ...(errorCode !== undefined && { metadata: { errorCode } }),
  };
}

/** A call after its result: a tool gets a status, a subagent also its output. */
export function answeredBlock(
  block: ConversationBlock,
  message: JsonRecord,
): ConversationBlock | undefined {
  const status = isFailure(message) ? 'error' : 'success';
  if (block.type === 'tool_use') return { ...block, status };
  if (block.type !== 'subagent') return undefined;
  const metadata = asRecord(message.metadata);
  return compact({
    ...block,
    subagentId: asId(metadata.agentId) ?? block.subagentId,
    status: status as 'error' | 'success',
    output: asString(message.content),
    durationMs: asNumber(metadata.durationMs),
  });
}

/** Usage of a model request; `inputTokens` of our messages includes cached tokens. */
export function usageOf(message: JsonRecord): TokenUsage | undefined {
  const metadata = asRecord(message.metadata);
  const input = asNumber(metadata.inputTokens);
  const outputTokens = asNumber(metadata.outputTokens);
  if (input === undefined && outputTokens === undefined) return undefined;
  const cacheReadTokens = asNumber(metadata.cacheReadTokens) ?? 0;
  const cacheWriteTokens = asNumber(metadata.cacheWriteTokens) ?? 0;
  const thinkingTokens = asNumber(metadata.reasoningTokens);
  return compact({
    inputTokens: Math.max((input ?? 0) - cacheReadTokens - cacheWriteTokens, 0),
    outputTokens: outputTokens ?? 0,
    cacheReadTokens,
    cacheWriteTokens,
    thinkingTokens,
    totalTokens: (input ?? 0) + (outputTokens ?? 0),
  });
}

/** Failure is recorded in the metadata or in the tool's own envelope. */
function isFailure(message: JsonRecord): boolean {
  if (asRecord(message.metadata).success === false) return true;
  return /^\{"success":false[,}]/.test(asString(message.content) ?? '');
}

function subagentBlock(toolUseId: string, input: JsonRecord, timestamp: string): ConversationBlock {
  return compact({
    type: 'subagent' as const,
    id: `subagent:${toolUseId}`,
    timestamp,
    subagentId: toolUseId,
    name: asString(input.subagent_type) ?? asString(input.agent),
    input: asString(input.prompt) ?? '',
    status: 'pending' as const,
    toolUseId,
  });
}

function toReplyPart(part: JsonRecord): ReplyPart[] {
  const text = asString(part.text) ?? '';
  if (text === '') return [];
  if (part.type === 'text') return [{ type: 'assistant_text', text }];
  return part.type === 'thinking' ? [{ type: 'thinking', text }] : [];
}

function contentOf(message: JsonRecord): MessageContent {
  const text = asString(message.content) ?? '';
  const files = asArray(message.parts).map(asRecord).flatMap(toFile);
  return files.length === 0 ? text : [{ type: 'text', text }, ...files];
}

function toFile(part: JsonRecord): ContentPart[] {
  const mediaType = asString(part.mimeType);
  const media = mediaType === undefined ? {} : { mediaType };
  const data = asString(part.type === 'image_uri' ? part.uri : part.data);
  if (data === undefined) return [];
  if (part.type === 'file_inline') {
    const title = asString(part.name);
    const source = { type: 'base64', data, ...media } as const;
    return [{ type: 'document', source, ...(title !== undefined && { title }) }];
  }
  if (part.type === 'image_inline')
    return [{ type: 'image', source: { type: 'base64', data, ...media } }];
  return part.type === 'image_uri'
    ? [{ type: 'image', source: { type: 'url', data, ...media } }]
    : [];
}

/** Invalid arguments are shown as written. */
function parseInput(written: string): JsonRecord {
  try {
    const parsed: unknown = JSON.parse(written);
    if (isRecord(parsed)) return parsed;
  } catch {
    // Models may write invalid JSON; it is kept below.
  }
  return { arguments: written };
}
