import type { SkippedInput } from './parsed-transcript.ts';

/** Counts input that a parser could not turn into blocks, so that nothing is dropped silently. */
export class SkipCounter {
  #lines = 0;
  readonly #kinds = new Map<string, number>();

  line(): void {
    this.#lines += 1;
  }

  kind(kind: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  /** An independent copy of the counts. */
  copy(): SkipCounter {
    const copy = new SkipCounter();
    copy.#lines = this.#lines;
    for (const [kind, count] of this.#kinds) copy.#kinds.set(kind, count);
    return copy;
  }

  /** `also` are kinds that count only in this total. */
  total(also: readonly string[] = []): SkippedInput {
    const kinds = new Map(this.#kinds);
    for (const kind of also) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    // fromEntries defines own keys, so a kind named __proto__ stays a count.
    return { lines: this.#lines, kinds: Object.fromEntries(kinds) };
  }
}
