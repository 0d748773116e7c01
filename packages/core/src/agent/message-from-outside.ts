import type { ChatEntry } from '../messages/history-entry.ts';
import {
  type AssistantMessage,
  createAssistantMessage,
  createSystemMessage,
  createToolMessage,
  createUserMessage,
  type Message,
  type MessageMetadata,
  type MessageRole,
  type ToolCall,
} from '../messages/message.ts';

/** Optional fields of an injected message. */
export interface InjectedMessageFields {
  /** Only for tool results. */
  readonly toolCallId?: string;
  readonly name?: string;
  /** Additional data for user interfaces. */
  readonly metadata?: MessageMetadata;
}

/** Creates a message for `injectMessage`. */
export function messageFromOutside(
  role: MessageRole,
  content: string,
  fields: InjectedMessageFields = {},
): Message {
  const { toolCallId = '', ...extras } = fields;
  switch (role) {
    case 'user':
      return createUserMessage(content, extras);
    case 'assistant':
      return createAssistantMessage(content);
    case 'system':
      return createSystemMessage(content, extras);
    case 'tool':
      return createToolMessage(content, toolCallId, extras);
    default:
      throw new TypeError(`Cannot inject a message with the role "${String(role)}"`);
  }
}

/**
 * Messages read from a file, made safe: timestamps are Dates again, and invalid parts (an unknown role, a call without
 * a function) are left out.
 */
export function revivedMessages(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => ROLES.has(message?.role)).map(revivedMessage);
}

export function messageOfEntry(entry: ChatEntry): Message {
  if (!entry.data) throw new Error(`Chat entry ${entry.id} has no data`);
  return revivedMessage({ ...entry.data, id: entry.id, timestamp: entry.timestamp });
}

const ROLES: ReadonlySet<string> = new Set<MessageRole>(['user', 'assistant', 'system', 'tool']);

function revivedMessage(message: Message): Message {
  const revived = message.role === 'assistant' ? withValidCalls(message) : message;
  const isText = typeof revived.content === 'string' || revived.role === 'assistant';
  if (isText && revived.timestamp instanceof Date && revived.state !== undefined) return revived;
  return {
    ...revived,
    ...(!isText && { content: String(revived.content ?? '') }),
    state: revived.state ?? 'complete',
    timestamp: revivedDate(revived.timestamp),
  };
}

function revivedDate(value: unknown): Date {
  const date = value instanceof Date ? value : new Date(String(value));
  return Number.isNaN(date.getTime()) ? new Date() : date;
}

function withValidCalls(message: AssistantMessage): AssistantMessage {
  const { toolCalls, ...rest } = message;
  if (toolCalls === undefined || (Array.isArray(toolCalls) && toolCalls.every(isValidCall))) {
    return message;
  }
  const valid = Array.isArray(toolCalls) ? toolCalls.filter(isValidCall) : [];
  return { ...rest, ...(valid.length > 0 && { toolCalls: valid }) };
}

function isValidCall(call: unknown): call is ToolCall {
  const { id, function: wanted } = (call ?? {}) as { id?: unknown; function?: unknown };
  const { name, arguments: text } = (wanted ?? {}) as { name?: unknown; arguments?: unknown };
  return typeof id === 'string' && typeof name === 'string' && typeof text === 'string';
}
