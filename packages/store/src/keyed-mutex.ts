/** Takes turns per key within this process, in order of arrival and without timers. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    // The next in line waits for the end of this turn, not for its success.
    const ended = turn.catch(() => undefined);
    this.#tails.set(key, ended);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === ended) this.#tails.delete(key);
    }
  }
}
