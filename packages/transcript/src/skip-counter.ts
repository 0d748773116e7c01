import type { SkippedInput } from './parsed-transcript.ts';

/** Counts what a parser could not turn into blocks, so that nothing is lost without a trace. */
export class SkipCounter {
  #lines = 0;
  readonly #kinds = new Map<string, number>();

  line(): void {
    this.#lines += 1;
  }

  kind(kind: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  total(): SkippedInput {
    // fromEntries defines own keys, so a kind named __proto__ stays a count.
    return { lines: this.#lines, kinds: Object.fromEntries(this.#kinds) };
  }
}
