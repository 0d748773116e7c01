/** Serialises work per key within this process, first come first served. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    // The next caller waits for this one to end, whether it succeeds or not.
    const ended = turn.catch(() => undefined);
    this.#tails.set(key, ended);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === ended) this.#tails.delete(key);
    }
  }
}
