import {
  type AssistantMessage,
  type ChatOptions,
  createAssistantMessage,
  type Message,
  type Provider,
} from '@robota-sdk/agent-core';

export interface TalkingProvider extends Provider {
  readonly requests: { readonly messages: readonly Message[]; readonly options: ChatOptions }[];
}

type Answer = string | AssistantMessage | Promise<string | AssistantMessage>;

/** A model that answers by what it is asked, for conversations that run at the same time. */
export function talkingProvider(
  answer: (prompt: string, messages: readonly Message[], options: ChatOptions) => Answer,
  name = 'talking',
): TalkingProvider {
  const requests: TalkingProvider['requests'] = [];
  return {
    name,
    requests,
    async chat(messages, options = {}) {
      requests.push({ messages: [...messages], options });
      const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      const said = await answer(prompt, messages, options);
      if (typeof said !== 'string') return said;
      options.onTextDelta?.(said);
      return createAssistantMessage(said, {
        metadata: { inputTokens: 10, outputTokens: 1, model: options.model ?? 'm' },
      });
    },
  };
}

/** An assistant message that calls tools. */
export function callsTools(
  ...wanted: readonly { id: string; name: string; args: unknown }[]
): AssistantMessage {
  return createAssistantMessage(null, {
    toolCalls: wanted.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  });
}
