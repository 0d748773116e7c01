import type { AssistantMessage, Message, MessagePart, ToolCall } from '../messages/message.ts';
import { parseCallArguments } from '../run/parse-call-arguments.ts';
import { isLegalToolName, legalToolName } from '../run/tool-name.ts';
import type { Conversation } from './conversation.ts';

/**
 * The messages to send to a provider: none empty, arguments that parse, and a note after an interrupted reply. Each
 * message is converted once, however many requests include it.
 */
export class RequestView {
  readonly #conversation: Conversation;
  #view: Message[] = [];
  #converted = 0;
  #version = -1;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** A new array on each call, so that a provider may keep or sort it. */
  messages(): Message[] {
    const { messages, version } = this.#conversation;
    if (version !== this.#version) {
      this.#version = version;
      this.#view = [];
      this.#converted = 0;
    }
    for (; this.#converted < messages.length; this.#converted++) {
      this.#view.push(toRequestMessage(messages[this.#converted] as Message));
    }
    return this.#view.slice();
  }
}

const INTERRUPTED_NOTE = '[This response was interrupted by the user]';
const CUT_OFF_NOTE = '[This response was cut off by an error]';

/** Replaces empty content, because vendors reject empty messages. */
const PLACEHOLDERS: Readonly<Record<Message['role'], string>> = {
  user: '(empty message)',
  assistant: '(no text)',
  system: '(empty message)',
  tool: '(no output)',
};

function toRequestMessage(message: Message): Message {
  if (message.role === 'assistant') return toRequestReply(message);
  return isBlank(message) ? withPlaceholder(message) : message;
}

function toRequestReply(message: AssistantMessage): AssistantMessage {
  const toolCalls = message.toolCalls ?? [];
  if (isBlank(message) && toolCalls.length === 0) return withPlaceholder(message);
  const sendable = toolCalls.every(isSendable)
    ? message
    : { ...message, toolCalls: toolCalls.map(sendableCall) };
  return sendable.state === 'interrupted' && !isTextBlank(sendable) ? withNote(sendable) : sendable;
}

function withPlaceholder<Blank extends Message>(message: Blank): Blank {
  const text = PLACEHOLDERS[message.role];
  if (message.parts === undefined) return { ...message, content: text };
  const rest = message.parts.filter((part) => part.type !== 'text');
  return { ...message, content: text, parts: [...rest, { type: 'text', text }] };
}

/** Thinking alone counts as blank. */
function isBlank(message: Message): boolean {
  return isTextBlank(message) && !message.parts?.some(hasContent);
}

function isTextBlank(message: Message): boolean {
  return (message.content ?? '').trim() === '';
}

function hasContent(part: MessagePart): boolean {
  if (part.type === 'text') return part.text.trim() !== '';
  return part.type !== 'thinking';
}

function isSendable({ function: { name, arguments: text } }: ToolCall): boolean {
  return isLegalToolName(name) && text.trim() !== '' && parseCallArguments(text).ok;
}

/** Malformed arguments are removed: the failed result of the call quotes them. */
function sendableCall(call: ToolCall): ToolCall {
  if (isSendable(call)) return call;
  const { name, arguments: text } = call.function;
  const isValid = text.trim() !== '' && parseCallArguments(text).ok;
  return {
    ...call,
    function: { name: legalToolName(name), arguments: isValid ? text : '{}' },
  };
}

function withNote(message: AssistantMessage): AssistantMessage {
  const note = `\n\n${message.metadata?.interruptedBy === 'error' ? CUT_OFF_NOTE : INTERRUPTED_NOTE}`;
  const content = `${message.content ?? ''}${note}`;
  if (message.parts === undefined) return { ...message, content };
  return { ...message, content, parts: [...message.parts, { type: 'text', text: note }] };
}
