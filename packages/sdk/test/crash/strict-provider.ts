import { isDeepStrictEqual } from 'node:util';
import type { AssistantMessage, Message } from '@robota-sdk/agent-core';

/** Why a strict provider refuses a conversation; undefined when it does not. */
export function strictProvider(messages: readonly Message[]): string | undefined {
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message?.role === 'tool') return `a result of ${message.toolCallId} without its call`;
    if (message?.role !== 'assistant') continue;
    const calls = ((message as AssistantMessage).toolCalls ?? []).map(({ id }) => id);
    const results: string[] = [];
    for (let next = messages[index + 1]; next?.role === 'tool'; next = messages[index + 1]) {
      results.push(next.toolCallId);
      index += 1;
    }
    if (!isDeepStrictEqual(calls.toSorted(), results.toSorted())) {
      return `calls ${calls.join(' ')} have the results ${results.join(' ')}`;
    }
  }
  return undefined;
}

/** A message without what is made anew each time, such as its time. */
export function essence(message: Message): unknown {
  const { role, content } = message;
  return [role, content, role === 'tool' ? message.toolCallId : '', message.metadata];
}
