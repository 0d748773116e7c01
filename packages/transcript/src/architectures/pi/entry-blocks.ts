import type { ContentPart, ConversationBlock, MessageContent } from '../../blocks.ts';
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

/** Id and time of a record. */
export interface EntryOrigin {
  readonly id: string;
  readonly timestamp: string;
}

/** The blocks of one entry; results are joined to their calls later. */
export function entryBlocks(
  entry: JsonRecord,
  { id, timestamp }: EntryOrigin,
): ConversationBlock[] {
  const origin = { id, timestamp };
  switch (entry.type) {
    case 'message':
      return messageBlocks(asRecord(entry.message), origin);
    case 'compaction':
      return [compactionBlock(entry, origin)];
    case 'branch_summary':
      return [notice(origin, asString(entry.summary) ?? 'Branch left', { branchSummary: true })];
    case 'custom_message':
      return entry.display === true ? [notice(origin, textOf(entry.content), {})] : [];
    default:
      return [];
  }
}

/** Known entry types; others are counted as skipped. */
export const ENTRY_TYPES: ReadonlySet<unknown> = new Set([
  'session',
  'message',
  'compaction',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'model_change',
  'session_info',
  'thinking_level_change',
  'usage',
]);

/** The blocks of one message, live or on disk. */
export function messageBlocks(message: JsonRecord, origin: EntryOrigin): ConversationBlock[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'user_message', ...origin, content: contentOf(message.content) }];
    case 'assistant':
      return assistantBlocks(message, origin);
    case 'toolResult':
      return [resultBlock(message, origin)];
    case 'bashExecution':
      return [shellBlock(message, origin)];
    case 'branchSummary':
    case 'compactionSummary':
      return [notice(origin, asString(message.summary) ?? '', {})];
    case 'custom':
      return message.display === true ? [notice(origin, textOf(message.content), {})] : [];
    default:
      return [];
  }
}

function assistantBlocks(message: JsonRecord, origin: EntryOrigin): ConversationBlock[] {
  const model = asString(message.model);
  const isAborted = message.stopReason === 'aborted';
  const blocks = asArray(message.content).flatMap((value, index): ConversationBlock[] => {
    const part = asRecord(value);
    const position = { id: `${origin.id}:${index}`, timestamp: origin.timestamp };
    switch (part.type) {
      case 'text': {
        const content = asString(part.text) ?? '';
        const metadata = isAborted ? { interrupted: true } : undefined;
        return [
          compact({ type: 'assistant_text' as const, ...position, content, model, metadata }),
        ];
      }
      case 'thinking':
        return [{ type: 'thinking', ...position, content: asString(part.thinking) ?? '' }];
      case 'toolCall': {
        const toolUseId = asId(part.id) ?? position.id;
        return [
          {
            type: 'tool_use',
            id: toolUseId,
            timestamp: origin.timestamp,
            toolName: asString(part.name) ?? 'unknown',
            toolUseId,
            input: inputOf(part.arguments),
            status: 'pending',
          },
        ];
      }
      default:
        return [];
    }
  });
  return [...blocks, ...endingOf(message, origin)];
}

/** A failed request adds an error block, an interrupted one a status block. */
function endingOf(message: JsonRecord, { id, timestamp }: EntryOrigin): ConversationBlock[] {
  if (message.stopReason === 'aborted') {
    return [notice({ id: `${id}:aborted`, timestamp }, 'Turn interrupted', { interrupted: true })];
  }
  if (message.stopReason !== 'error') return [];
  const text = asString(message.errorMessage) ?? 'The request failed';
  return [{ type: 'system', id: `${id}:error`, timestamp, subtype: 'error', message: text }];
}

function resultBlock(message: JsonRecord, { id, timestamp }: EntryOrigin): ConversationBlock {
  const toolUseId = asId(message.toolCallId) ?? id;
  const parts = partsOf(message.content);
  const isText = parts.every((part) => part.type === 'text');
  return compact({
    type: 'tool_result' as const,
    id: `${toolUseId}:result`,
    timestamp,
    toolUseId,
    output: isText ? textOf(message.content) : parts,
    isError: message.isError === true,
    metadata: isRecord(message.details) ? { details: message.details } : undefined,
  });
}

function shellBlock(message: JsonRecord, origin: EntryOrigin): ConversationBlock {
  const command = asString(message.command) ?? '';
  const output = asString(message.output) ?? '';
  const shell = compact({ command, output, exitCode: asNumber(message.exitCode) });
  return notice(origin, `! ${command}\n${output}`, { shell });
}

function compactionBlock(entry: JsonRecord, origin: EntryOrigin): ConversationBlock {
  const compaction = compact({
    summary: asString(entry.summary),
    preTokens: asNumber(entry.tokensBefore),
  });
  return notice(origin, 'Conversation compacted', { compaction });
}

function notice(
  { id, timestamp }: EntryOrigin,
  message: string,
  metadata: JsonRecord,
): ConversationBlock {
  return { type: 'system', id, timestamp, subtype: 'status', message, metadata };
}

function inputOf(value: unknown): JsonRecord {
  if (isRecord(value)) return value;
  return value === undefined || value === null ? {} : { raw: value };
}

function contentOf(content: unknown): MessageContent {
  const parts = partsOf(content);
  return parts.every((part) => part.type === 'text') ? textOf(content) : parts;
}

function partsOf(content: unknown): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asArray(content).flatMap((value): ContentPart[] => {
    const part = asRecord(value);
    const text = asString(part.text);
    if (part.type === 'text' && text !== undefined) return [{ type: 'text', text }];
    const data = asString(part.data);
    if (part.type !== 'image' || data === undefined) return [];
    const mediaType = asString(part.mimeType);
    return [{ type: 'image', source: compact({ type: 'base64' as const, data, mediaType }) }];
  });
}

/** The text of a message, live or on disk. */
export function textOf(content: unknown): string {
  return partsOf(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}
