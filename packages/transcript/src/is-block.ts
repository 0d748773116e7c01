import type { ConversationBlock } from './blocks.ts';
import { isRecord, type JsonRecord } from './json-record.ts';

/** Whether a value read from a file is a block: all fields that readers rely on have their types. */
export function isBlock(value: unknown): value is ConversationBlock {
  if (!isRecord(value)) return false;
  const { id, timestamp, metadata } = value;
  if (!isId(id) || typeof timestamp !== 'string' || !isOptional(metadata, isRecord)) return false;
  return isOfItsType(value);
}

function isOfItsType(block: JsonRecord): boolean {
  switch (block.type) {
    case 'user_message':
      return isText(block.content) || isListOf(block.content, isContentPart);
    case 'assistant_text':
      return isText(block.content) && isOptional(block.model, isText);
    case 'thinking':
      return isText(block.content) && isOptional(block.summary, isText);
    case 'tool_use':
      return isId(block.toolUseId) && isToolUse(block);
    case 'tool_result':
      return (
        isId(block.toolUseId) &&
        typeof block.isError === 'boolean' &&
        isOptional(block.durationMs, Number.isFinite)
      );
    case 'system':
      return isText(block.message) && SUBTYPES.has(block.subtype);
    case 'subagent':
      return isId(block.subagentId) && isSubagent(block);
    default:
      return false;
  }
}

function isToolUse({ toolName, input, status, displayName, description }: JsonRecord): boolean {
  const isNamed = isOptional(displayName, isText) && isOptional(description, isText);
  return isText(toolName) && isRecord(input) && STATUSES.has(status) && isNamed;
}

function isSubagent({ name, input, status, output, durationMs, toolUseId }: JsonRecord): boolean {
  const isTold = isOptional(name, isText) && isOptional(output, isText);
  const isMeasured = isOptional(durationMs, Number.isFinite) && isOptional(toolUseId, isId);
  return isText(input) && STATUSES.has(status) && isTold && isMeasured;
}

function isContentPart(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.type === 'text') return isText(value.text);
  if (value.type !== 'image' && value.type !== 'document') return false;
  const { source, title } = value;
  if (!isRecord(source) || !isOptional(title, isText)) return false;
  return SOURCES.has(source.type) && isText(source.data) && isOptional(source.mediaType, isText);
}

/** Whether a value is an array of values that pass the check. */
export function isListOf(value: unknown, check: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(check);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isOptional(value: unknown, check: (given: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

const STATUSES: ReadonlySet<unknown> = new Set(['pending', 'running', 'success', 'error']);
const SOURCES: ReadonlySet<unknown> = new Set(['base64', 'url', 'text']);
const SUBTYPES: ReadonlySet<unknown> = new Set([
  'session_start',
  'session_end',
  'error',
  'status',
  'hook_response',
  'auth_status',
]);
