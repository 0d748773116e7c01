/** What is pushed comes out in order, to one reader, as fast as it reads. */
export class AsyncQueue<Item> implements AsyncIterable<Item> {
  readonly #waiting: Item[] = [];
  #end: { readonly error?: Error } | undefined;
  #wake: () => void = () => undefined;

  push(item: Item): void {
    if (this.#end === undefined) this.#waiting.push(item);
    this.#wake();
  }

  /** What was pushed before still comes out. */
  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** Like `end`, and the reader meets the error after the last item. */
  fail(error: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      const ready = this.#waiting.splice(0);
      // Not `yield*`: that waits even for an empty list, and what is pushed meanwhile would wake nobody.
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
