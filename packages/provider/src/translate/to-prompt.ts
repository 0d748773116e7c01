import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { Message, MessagePart, ToolMessage, UserMessage } from '@robota-sdk/agent-core';
import { toAssistantContent } from './to-assistant-content.ts';
import { toToolMessages } from './to-tool-messages.ts';
import { toUserContent } from './to-user-content.ts';
import { wellFormed } from './well-formed.ts';

/** A vendor's requirements for a conversation. */
export interface PromptRules {
  /** The vendor family; signatures and encrypted reasoning of other families are not sent. */
  readonly family: string;
  /** The vendor's key in the package's provider options and metadata. */
  readonly optionsKey: string;
  /** The key for sending, if it differs. */
  readonly sendKey?: string;
  /** The vendor rejects a conversation that begins with the assistant. */
  readonly needsLeadingUser: boolean;
  /** Tool results cannot contain images; they follow in a user message. */
  readonly imagesFollowToolResults: boolean;
  /** Thinking is sent back even without a signature. */
  readonly returnsUnsignedThinking?: boolean;
  /** Converts a tool-call id of any vendor to one this vendor accepts. */
  toolCallId(id: string): string;
}

const LEADING_LINE = 'Here is what happened in this conversation so far.';

/** Converts the conversation for the provider packages; equal messages give equal bytes. */
export function toPrompt(messages: readonly Message[], rules: PromptRules): LanguageModelV3Prompt {
  const turns = toTurns(messages, rules);
  const lead = rules.needsLeadingUser && turns[0]?.role === 'assistant' ? [leadingUser()] : [];
  return [...systemMessage(messages), ...lead, ...turns];
}

function systemMessage(messages: readonly Message[]): LanguageModelV3Message[] {
  const content = messages
    .filter((message) => message.role === 'system' && message.content.trim() !== '')
    .map((message) => wellFormed(message.content ?? ''))
    .join('\n\n');
  return content === '' ? [] : [{ role: 'system', content }];
}

function leadingUser(): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text: LEADING_LINE }] };
}

/** System messages are removed first, so that none separates the results of one round. */
function toTurns(history: readonly Message[], rules: PromptRules): LanguageModelV3Message[] {
  const messages = history.filter((message) => message.role !== 'system');
  const names = toolNames(messages);
  const turns: LanguageModelV3Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message?.role === 'user') turns.push(userTurn(message));
    if (message?.role === 'assistant') {
      const content = toAssistantContent(message, rules);
      if (content.length > 0) turns.push({ role: 'assistant', content });
    }
    if (message?.role === 'tool') {
      const group = toolGroup(messages, index);
      turns.push(...toToolMessages(group, names, rules));
      index += group.length - 1;
    }
  }
  return turns;
}

function userTurn(message: UserMessage): LanguageModelV3Message {
  return { role: 'user', content: toUserContent(textAndParts(message)) };
}

/** `parts` without text complement `content`; parts with text already include it. */
function textAndParts(message: UserMessage): readonly MessagePart[] {
  const parts = message.parts ?? [];
  if (parts.some((part) => part.type === 'text')) return parts;
  return [{ type: 'text', text: message.content }, ...parts];
}

function toolGroup(messages: readonly Message[], start: number): readonly ToolMessage[] {
  const group: ToolMessage[] = [];
  for (let index = start; ; index++) {
    const message = messages[index];
    if (message?.role !== 'tool') return group;
    group.push(message);
  }
}

function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) names.set(call.id, call.function.name);
  }
  return names;
}
