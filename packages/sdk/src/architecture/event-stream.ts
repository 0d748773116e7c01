/** What is pushed comes out in order, to one reader, as fast as it reads. */
export class EventStream<Item> implements AsyncIterable<Item> {
  readonly #waiting: Item[] = [];
  #isEnded = false;
  #wake: () => void = () => undefined;

  push(item: Item): void {
    this.#waiting.push(item);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      const ready = this.#waiting.splice(0);
      // Not `yield*`: that waits even for an empty list, and what is pushed meanwhile would wake nobody.
      for (const item of ready) yield item;
      if (ready.length > 0) continue;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
