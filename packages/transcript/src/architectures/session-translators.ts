import type { StreamTranslator } from '../stream-translator.ts';

/** One translator per session, kept between turns so that its numbering and totals continue. */
export class SessionTranslators {
  readonly #create: () => StreamTranslator;
  readonly #known = new Map<string, StreamTranslator>();

  constructor(create: () => StreamTranslator) {
    this.#create = create;
  }

  of(sessionId: string): StreamTranslator {
    const known = this.#known.get(sessionId) ?? this.#create();
    this.#known.set(sessionId, known);
    return known;
  }

  /** The program has given the session another id. */
  rename(from: string, to: string): void {
    const known = this.#known.get(from);
    if (known === undefined) return;
    this.#known.delete(from);
    this.#known.set(to, known);
  }
}
