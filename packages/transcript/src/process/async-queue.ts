/** An unbounded queue for a single reader. */
export class AsyncQueue<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #end: { readonly error?: Error } | undefined;
  #wake: () => void = () => undefined;

  push(item: Item): void {
    if (this.#end === undefined) this.#items.push(item);
    this.#wake();
  }

  /** Items pushed before are still delivered. */
  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** Like `end`, but the reader gets the error after the last item. */
  fail(error: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      const ready = this.#items.splice(0);
      // Not `yield*`, which suspends even for an empty list, so that a push meanwhile would be missed.
      for (const item of ready) yield item;
      if (ready.length > 0) continue;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
