/** A prompt on its way to the model. */
export interface QueuedPrompt {
  readonly input: string;
  /** What surfaces show in its place. */
  readonly displayInput: string;
  /** What hooks match on; absent means the input. */
  readonly rawInput?: string;
}

export type Admission<Prompt> =
  | { readonly accepted: true; readonly displaced?: Prompt }
  | { readonly accepted: false };

/** Holds prompts while another is being answered. With room for one, the last one wins; with more, a full queue refuses. */
export class PromptQueue<Prompt> {
  readonly #depth: number;
  #waiting: Prompt[] = [];

  constructor(depth = 1) {
    if (!Number.isInteger(depth) || depth < 1) {
      throw new Error(`A prompt queue needs a depth of at least 1, not ${depth}`);
    }
    this.#depth = depth;
  }

  put(prompt: Prompt): Admission<Prompt> {
    if (this.#waiting.length < this.#depth) {
      this.#waiting.push(prompt);
      return { accepted: true };
    }
    if (this.#depth > 1) return { accepted: false };
    const displaced = this.#waiting[0];
    this.#waiting = [prompt];
    return displaced === undefined ? { accepted: true } : { accepted: true, displaced };
  }

  take(): Prompt | undefined {
    return this.#waiting.shift();
  }

  peek(): Prompt | undefined {
    return this.#waiting[0];
  }

  /** Empties the queue and hands out what was waiting. */
  clear(): Prompt[] {
    const dropped = this.#waiting;
    this.#waiting = [];
    return dropped;
  }
}
