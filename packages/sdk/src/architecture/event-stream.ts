/** A queue of items for a single async reader. */
export class EventStream<Item> implements AsyncIterable<Item> {
  readonly #pending: Item[] = [];
  #isEnded = false;
  #wake: () => void = () => undefined;

  push(item: Item): void {
    this.#pending.push(item);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      const ready = this.#pending.splice(0);
      // Not `yield*`: it awaits even for an empty list, and items pushed meanwhile would not wake the reader.
      for (const item of ready) yield item;
      if (ready.length > 0) continue;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
