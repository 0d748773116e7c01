/** Numbers the blocks of each model message: one message is spread over several records. */
export class MessageOrdinals {
  readonly #next = new Map<string, number>();

  /** The place of the next block within its message; `given` is the place the record itself names. */
  take(messageId: string, given?: number): number {
    const ordinal = given ?? this.#next.get(messageId) ?? 0;
    this.#next.set(messageId, Math.max(ordinal + 1, this.#next.get(messageId) ?? 0));
    return ordinal;
  }
}
