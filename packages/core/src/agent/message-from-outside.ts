import type { ChatEntry } from '../messages/history-entry.ts';
import {
  createAssistantMessage,
  createSystemMessage,
  createToolMessage,
  createUserMessage,
  type Message,
  type MessageRole,
} from '../messages/message.ts';

export interface InjectedMessageFields {
  /** Only for a tool's result. */
  readonly toolCallId?: string;
  readonly name?: string;
}

/** A message someone else said on a role's behalf. */
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

/** A message out of a file: its timestamp, an ISO string there, is a Date again. */
export function revivedMessage(message: Message): Message {
  const state = message.state ?? 'complete';
  if (message.timestamp instanceof Date && message.state === state) return message;
  const timestamp = new Date(message.timestamp ?? Date.now());
  return { ...message, state, timestamp };
}

export function messageOfEntry(entry: ChatEntry): Message {
  if (!entry.data) throw new Error(`Chat entry ${entry.id} has no data`);
  return revivedMessage({ ...entry.data, id: entry.id, timestamp: entry.timestamp });
}
