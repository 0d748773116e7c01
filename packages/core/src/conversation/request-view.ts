import type { AssistantMessage, Message, MessagePart, ToolCall } from '../messages/message.ts';
import { parseArguments } from '../run/parse-arguments.ts';
import { isLegalToolName, legalToolName } from '../run/tool-name.ts';
import type { Conversation } from './conversation.ts';

/**
 * The conversation as a provider gets it: nothing empty, arguments that parse, and a note where a reply broke
 * off. Each message is looked at once, however many requests carry it.
 */
export class RequestView {
  readonly #conversation: Conversation;
  #view: Message[] = [];
  #seen = 0;
  #version = -1;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** A fresh array, so that a provider may keep or sort it. */
  messages(): Message[] {
    const { messages, version } = this.#conversation;
    if (version !== this.#version) {
      this.#version = version;
      this.#view = [];
      this.#seen = 0;
    }
    for (; this.#seen < messages.length; this.#seen++) {
      this.#view.push(toRequestMessage(messages[this.#seen] as Message));
    }
    return this.#view.slice();
  }
}

const INTERRUPTED_NOTE = '[This response was interrupted by the user]';
const CUT_OFF_NOTE = '[This response was cut off by an error]';

/** Stands where nothing was said, because vendors refuse empty messages. */
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
  const sound = toolCalls.every(isSendable)
    ? message
    : { ...message, toolCalls: toolCalls.map(sendableCall) };
  return sound.state === 'interrupted' && !isTextBlank(sound) ? withNote(sound) : sound;
}

function withPlaceholder<Blank extends Message>(message: Blank): Blank {
  const text = PLACEHOLDERS[message.role];
  if (message.parts === undefined) return { ...message, content: text };
  const rest = message.parts.filter((part) => part.type !== 'text');
  return { ...message, content: text, parts: [...rest, { type: 'text', text }] };
}

/** Reasoning alone does not count as something said. */
function isBlank(message: Message): boolean {
  return isTextBlank(message) && !message.parts?.some(isSomethingSaid);
}

function isTextBlank(message: Message): boolean {
  return (message.content ?? '').trim() === '';
}

function isSomethingSaid(part: MessagePart): boolean {
  if (part.type === 'text') return part.text.trim() !== '';
  return part.type !== 'thinking';
}

function isSendable({ function: { name, arguments: text } }: ToolCall): boolean {
  return isLegalToolName(name) && text.trim() !== '' && parseArguments(text).ok;
}

/** Malformed arguments are left out: the failed result beside the call quotes what the model wrote. */
function sendableCall(call: ToolCall): ToolCall {
  if (isSendable(call)) return call;
  const { name, arguments: text } = call.function;
  const isSound = text.trim() !== '' && parseArguments(text).ok;
  return {
    ...call,
    function: { name: legalToolName(name), arguments: isSound ? text : '{}' },
  };
}

function withNote(message: AssistantMessage): AssistantMessage {
  const note = `\n\n${message.metadata?.interruptedBy === 'error' ? CUT_OFF_NOTE : INTERRUPTED_NOTE}`;
  const content = `${message.content ?? ''}${note}`;
  if (message.parts === undefined) return { ...message, content };
  return { ...message, content, parts: [...message.parts, { type: 'text', text: note }] };
}
