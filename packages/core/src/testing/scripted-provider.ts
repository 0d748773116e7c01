import { createAssistantMessage, type Message } from '../messages/message.ts';
import type { ChatOptions, Provider } from '../provider.ts';
import type { ScriptedReply } from './replies.ts';

/** A scripted model that records its requests. */
export interface ScriptedProvider extends Provider {
  /** The messages of every request so far, as they were then. */
  readonly requests: readonly (readonly Message[])[];
  /** The options of every request so far. */
  readonly requestOptions: readonly ChatOptions[];
}

/** A model that streams the given replies in order and fails when there are none left. */
export function scriptedProvider(...replies: readonly ScriptedReply[]): ScriptedProvider {
  const requests: (readonly Message[])[] = [];
  const requestOptions: ChatOptions[] = [];
  return {
    name: 'scripted',
    version: '1',
    requests,
    requestOptions,
    async chat(messages, options = {}) {
      const reply = replies[requests.length];
      requests.push([...messages]);
      requestOptions.push(options);
      if (reply === undefined) {
        throw new Error(`The script has ${replies.length} replies; it was asked for one more.`);
      }
      return await play(reply, options);
    },
  };
}

async function play(reply: ScriptedReply, options: ChatOptions): Promise<Message> {
  if (reply.kind === 'failure') {
    if (reply.after !== undefined) options.onTextDelta?.(reply.after);
    throw reply.error;
  }
  for (const part of reply.message.parts ?? []) {
    if (part.type === 'thinking') options.onThinkingDelta?.(part.text);
  }
  let said = '';
  for (const delta of reply.deltas ?? []) {
    if (options.signal?.aborted) return createAssistantMessage(said, { state: 'interrupted' });
    options.onTextDelta?.(delta);
    said += delta;
    await Promise.resolve();
  }
  for (const { id, function: wanted } of reply.message.toolCalls ?? []) {
    options.onToolCallDelta?.({ id, name: wanted.name, argumentsDelta: wanted.arguments });
  }
  return reply.message;
}
