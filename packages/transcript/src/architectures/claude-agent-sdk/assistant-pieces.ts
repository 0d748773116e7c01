import type { ConversationBlock, ToolResultBlock, ToolUseBlock } from '../../blocks.ts';
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
import type { ClaudeRecord, OnSkipped, Piece } from './claude-record.ts';
import { textOf, toToolOutput } from './content.ts';
import type { MessageOrdinals } from './message-ordinals.ts';
import { isAgentTool, startedSubagent } from './subagent-block.ts';

export interface AssistantContext {
  readonly ordinals: MessageOrdinals;
  readonly onSkipped: OnSkipped;
}

/** An assistant record: usually one block of a model message. */
export function assistantPieces(record: ClaudeRecord, context: AssistantContext): Piece[] {
  const { source, message } = record;
  if (message.model === SYNTHETIC_MODEL) return syntheticPieces(record);
  if (source.isApiErrorMessage === true) return [errorPiece(record)];
  const content =
    typeof message.content === 'string' ? [textPart(message.content)] : message.content;
  if (!Array.isArray(content)) context.onSkipped('assistant/without-content');
  const parts = asArray(content);
  const given = parts.length === 1 ? asNumber(source.apiBlockIndex) : undefined;
  const messageId = asId(message.id) ?? record.uuid;
  return parts.flatMap((part) => {
    const ordinal = context.ordinals.take(messageId, given);
    const place = { messageId, ordinal, onSkipped: context.onSkipped };
    return partPiece(record, asRecord(part), place) ?? [];
  });
}

interface Place {
  readonly messageId: string;
  readonly ordinal: number;
  readonly onSkipped: OnSkipped;
}

function partPiece(record: ClaudeRecord, part: JsonRecord, place: Place): Piece | undefined {
  const block = contentBlock(record, part, place) ?? toolUse(record, part);
  if (block !== undefined) return { kind: 'block', block };
  const kind = asString(part.type) ?? 'untyped';
  const answered = asId(part.tool_use_id);
  if (kind.endsWith('tool_result') && answered !== undefined) {
    return serverToolResult(record, part, answered);
  }
  place.onSkipped(`assistant/${kind}`);
  return undefined;
}

export function contentBlockId(messageId: string, ordinal: number): string {
  return `${messageId}:${ordinal}`;
}

function contentBlock(
  record: ClaudeRecord,
  part: JsonRecord,
  { messageId, ordinal }: Place,
): ConversationBlock | undefined {
  const { timestamp } = record;
  const id = contentBlockId(messageId, ordinal);
  switch (part.type) {
    case 'text':
      return textBlock(record, asString(part.text) ?? '', id);
    case 'thinking':
      return { type: 'thinking', id, timestamp, content: asString(part.thinking) ?? '' };
    case 'redacted_thinking':
      return { type: 'thinking', id, timestamp, content: '', metadata: { redacted: true } };
    default:
      return undefined;
  }
}

function textBlock(
  { timestamp, message, source }: ClaudeRecord,
  content: string,
  id: string,
): ConversationBlock {
  const model = asString(message.model);
  if (source.isAbortedMidStream === true || source.aborted === true) {
    const metadata = { interrupted: true };
    return compact({ type: 'assistant_text' as const, id, timestamp, content, model, metadata });
  }
  return model === undefined
    ? { type: 'assistant_text', id, timestamp, content }
    : { type: 'assistant_text', id, timestamp, content, model };
}

function toolUse({ timestamp }: ClaudeRecord, part: JsonRecord): ConversationBlock | undefined {
  const toolUseId = asId(part.id);
  if (toolUseId === undefined || !TOOL_CALLS.has(asString(part.type) ?? '')) return undefined;
  const toolName = asString(part.name) ?? '';
  const input = toInput(part.input);
  if (part.type === 'tool_use' && isAgentTool(toolName)) {
    return startedSubagent({ toolUseId, timestamp, input });
  }
  const block: ToolUseBlock = {
    type: 'tool_use',
    id: toolUseId,
    timestamp,
    toolName,
    toolUseId,
    input,
    status: 'pending',
  };
  const description = asString(input.description);
  const isServer = part.type !== 'tool_use';
  if (description === undefined && !isServer) return block;
  return {
    ...block,
    ...compact({ description, metadata: isServer ? { server: true } : undefined }),
  };
}

/** Arguments that are not an object are kept under `raw`. */
function toInput(input: unknown): JsonRecord {
  if (isRecord(input)) return input;
  return input === undefined || input === null ? {} : { raw: input };
}

/** The result of a server-side tool is in the same message as its call. */
function serverToolResult({ timestamp }: ClaudeRecord, part: JsonRecord, toolUseId: string): Piece {
  const isError =
    part.is_error === true || /error$/.test(asString(asRecord(part.content).type) ?? '');
  const block: ToolResultBlock = {
    type: 'tool_result',
    id: `${toolUseId}:result`,
    timestamp,
    toolUseId,
    output: toToolOutput(part.content),
    isError,
  };
  return { kind: 'tool_result', block, structured: undefined };
}

/** Messages the program wrote on behalf of the model: errors are shown, fillers are not. */
function syntheticPieces(record: ClaudeRecord): Piece[] {
  const { source, message } = record;
  if (source.isApiErrorMessage === true || typeof source.error === 'string') {
    return [errorPiece(record)];
  }
  const text = textOf(message.content);
  if (text === '' || text === 'No response requested.') return [];
  const { uuid: id, timestamp } = record;
  const block = { type: 'system', id, timestamp, subtype: 'status', message: text } as const;
  return [{ kind: 'block', block }];
}

function errorPiece({ uuid, timestamp, source, message }: ClaudeRecord): Piece {
  return {
    kind: 'block',
    block: {
      type: 'system',
      id: uuid,
      timestamp,
      subtype: 'error',
      message: textOf(message.content),
      metadata: { error: asString(source.error) ?? 'unknown' },
    },
  };
}

function textPart(text: string): JsonRecord {
  return { type: 'text', text };
}

const SYNTHETIC_MODEL = '<synthetic>';
const TOOL_CALLS: ReadonlySet<string> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);
