import type { AgentArchitectureType } from '../architecture-type.ts';
import { createStreamTranslator } from '../parse-transcripts.ts';
import type { StreamTranslator } from '../stream-translator.ts';

/** One translator a session, kept between its turns: what it numbers and adds up goes on. */
export class SessionTranslators {
  readonly #type: AgentArchitectureType;
  readonly #known = new Map<string, StreamTranslator>();

  constructor(type: AgentArchitectureType) {
    this.#type = type;
  }

  of(sessionId: string): StreamTranslator {
    const known = this.#known.get(sessionId) ?? createStreamTranslator(this.#type);
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
