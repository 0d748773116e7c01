/** The structure of one message, without its text; for diagnosis. */
export interface MessageStructure {
  readonly role: string;
  readonly contentLength: number;
  readonly hasToolCalls: boolean;
  readonly toolCallNames: readonly string[];
  readonly metadata?: unknown;
}

interface MessageShape {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly toolCalls?: readonly { readonly function?: { readonly name?: unknown } }[];
  readonly metadata?: unknown;
}

/** The structure of a history, without its texts. */
export function describeHistory(messages: readonly unknown[]): MessageStructure[] {
  return messages.map((value) => {
    const message = value as MessageShape;
    const calls = message.toolCalls ?? [];
    return {
      role: String(message.role),
      contentLength: typeof message.content === 'string' ? message.content.length : 0,
      hasToolCalls: calls.length > 0,
      toolCallNames: calls.map((call) => String(call.function?.name)),
      ...(message.metadata !== undefined && { metadata: message.metadata }),
    };
  });
}
