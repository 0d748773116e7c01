import type { AssistantMessage, Message, ToolMessage } from '../messages/message.ts';
import type { Provider } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';

/** Throws for the first thing in a request that Anthropic, OpenAI or Gemini would reject. */
export function assertStrictHistory(messages: readonly Message[]): void {
  const callIds = new Set<string>();
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message;
    const place = `Message ${index} (${message.role})`;
    assertSaysSomething(message, place);
    if (message.role === 'tool') throw new Error(`${place} answers no call in front of it.`);
    if (message.role !== 'assistant' || !message.toolCalls?.length) continue;
    assertSoundCalls(message, place, callIds);
    assertAnswered(message, messages.slice(index + 1, index + 1 + message.toolCalls.length), place);
    index += message.toolCalls.length;
  }
}

/** Like `assertStrictHistory`, and it must be the model's turn. */
export function assertStrictRequest(messages: readonly Message[]): void {
  assertStrictHistory(messages);
  const last = messages.at(-1);
  if (last === undefined) throw new Error('The request has no messages.');
  if (last.role !== 'user' && last.role !== 'tool') {
    throw new Error(`The request ends with a message of the ${last.role}.`);
  }
}

/** A provider that rejects with status 400 what vendors would reject. */
export function strictProvider(inner: Provider): Provider {
  return {
    name: inner.name,
    async chat(messages, options) {
      try {
        assertStrictRequest(messages);
        const names = messages.some((message) => message.role === 'tool');
        if (names && !options?.tools?.length) {
          throw new Error('The request has tool results but defines no tools.');
        }
      } catch (error) {
        throw new ProviderError(`invalid request: ${(error as Error).message}`, {
          provider: inner.name,
          kind: 'invalid_request',
          status: 400,
          isRetryable: false,
          cause: error,
        });
      }
      return await inner.chat(messages, options);
    },
  };
}

function assertSaysSomething(message: Message, place: string): void {
  const isSaid = (message.content ?? '').trim() !== '';
  const hasParts = message.parts?.some((part) => part.type !== 'thinking' && part.type !== 'text');
  const hasCalls = message.role === 'assistant' && message.toolCalls?.length;
  if (!isSaid && !hasParts && !hasCalls) throw new Error(`${place} is empty.`);
}

function assertSoundCalls(message: AssistantMessage, place: string, callIds: Set<string>): void {
  for (const { id, function: wanted } of message.toolCalls ?? []) {
    if (id.trim() === '') throw new Error(`${place} has a call without an id.`);
    if (callIds.has(id)) throw new Error(`${place} repeats the call id "${id}".`);
    callIds.add(id);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(wanted.name)) {
      throw new Error(`${place} calls a tool by the illegal name "${wanted.name}".`);
    }
    if (!isJsonObject(wanted.arguments)) {
      throw new Error(`${place} has arguments that are not a JSON object: ${wanted.arguments}`);
    }
  }
}

function assertAnswered(
  message: AssistantMessage,
  results: readonly Message[],
  place: string,
): void {
  message.toolCalls?.forEach((call, index) => {
    const result = results[index];
    if (result?.role === 'tool' && (result as ToolMessage).toolCallId === call.id) return;
    throw new Error(`${place} has the call "${call.id}" without its result right after it.`);
  });
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
