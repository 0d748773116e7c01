import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../json.ts';

/** Role of the author of a message. */
export type MessageRole = 'user' | 'assistant' | 'system' | 'tool';

/** `interrupted` keeps the text that had arrived when the run was aborted. */
export type MessageState = 'complete' | 'interrupted';

/** Additional data of a message: usage, model, stop reason. */
export type MessageMetadata = Readonly<
  Record<
    string,
    | string
    | number
    | boolean
    | Date
    | readonly string[]
    | readonly number[]
    | Readonly<Record<string, number>>
  >
>;

interface MessageFields {
  readonly id: string;
  readonly timestamp: Date;
  readonly state: MessageState;
  readonly metadata?: MessageMetadata;
}

/** A message from the user, or from a program on the user's behalf. */
export interface UserMessage extends MessageFields {
  readonly role: 'user';
  readonly content: string;
  readonly parts?: readonly MessagePart[];
  readonly name?: string;
}

/** Instructions before all other messages. */
export interface SystemMessage extends MessageFields {
  readonly role: 'system';
  readonly content: string;
  readonly parts?: readonly MessagePart[];
  readonly name?: string;
}

/** A reply of the model, with its tool calls. */
export interface AssistantMessage extends MessageFields {
  readonly role: 'assistant';
  readonly content: string | null;
  /** In the order the model produced them; `content` is the text of all text parts joined. */
  readonly parts?: readonly MessagePart[];
  readonly toolCalls?: readonly ToolCall[];
}

/** The result of one tool call. */
export interface ToolMessage extends MessageFields {
  readonly role: 'tool';
  readonly content: string;
  readonly toolCallId: string;
  readonly name?: string;
  readonly parts?: readonly MessagePart[];
}

/** One message of a conversation, discriminated by `role`. */
export type Message = UserMessage | AssistantMessage | SystemMessage | ToolMessage;

/** A tool call of the model. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    /** JSON text, exactly as the model wrote it; it may be malformed. */
    readonly arguments: string;
  };
  readonly vendor?: VendorData;
}

/** Opaque data that only the model family that produced it understands: signatures, encrypted reasoning, item ids. */
export interface VendorData {
  readonly family: string;
  readonly data: JsonObject;
}

/** Part of a message with more than plain text. */
export type MessagePart =
  | TextPart
  | InlineImagePart
  | ImageUriPart
  | InlineFilePart
  | ThinkingPart
  | VendorPart;

/** Text as a part of a message. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly vendor?: VendorData;
}

/** An image by its bytes. */
export interface InlineImagePart {
  readonly type: 'image_inline';
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** An image by its address. */
export interface ImageUriPart {
  readonly type: 'image_uri';
  readonly uri: string;
  readonly mimeType?: string;
}

/** A file that a model reads as a whole, such as a PDF. */
export interface InlineFilePart {
  readonly type: 'file_inline';
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
  readonly name?: string;
}

/** Reasoning of the model; sent back only to the family that produced it. */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
  readonly vendor?: VendorData;
}

/** Data only one family understands (a server tool's call and result) that its next request must repeat. */
export interface VendorPart {
  readonly type: 'vendor';
  readonly vendor: VendorData;
}

interface MessageExtras {
  readonly parts?: readonly MessagePart[];
  readonly metadata?: MessageMetadata;
  readonly name?: string;
}

/** A new message of the user, with an id and the present time. */
export function createUserMessage(content: string, extras: MessageExtras = {}): UserMessage {
  return { ...newFields(), role: 'user', content, ...extras };
}

/** A new system message, with an id and the present time. */
export function createSystemMessage(content: string, extras: MessageExtras = {}): SystemMessage {
  return { ...newFields(), role: 'system', content, ...extras };
}

/** A new message of the model, with an id and the present time. */
export function createAssistantMessage(
  content: string | null,
  extras: Omit<MessageExtras, 'name'> & {
    readonly toolCalls?: readonly ToolCall[];
    readonly state?: MessageState;
  } = {},
): AssistantMessage {
  return { ...newFields(), role: 'assistant', content, ...extras };
}

/** A new result of a tool call, with an id and the present time. */
export function createToolMessage(
  content: string,
  toolCallId: string,
  extras: MessageExtras = {},
): ToolMessage {
  return { ...newFields(), role: 'tool', content, toolCallId, ...extras };
}

function newFields(): { id: string; timestamp: Date; state: MessageState } {
  return { id: randomUUID(), timestamp: new Date(), state: 'complete' };
}
