/** Numbers the blocks of each model message, which may span several records. */
export class MessageOrdinals {
  readonly #next = new Map<string, number>();

  /** The index of the next block in its message; `given` is the index from the record itself. */
  take(messageId: string, given?: number): number {
    const ordinal = given ?? this.#next.get(messageId) ?? 0;
    this.#next.set(messageId, Math.max(ordinal + 1, this.#next.get(messageId) ?? 0));
    return ordinal;
  }
}
