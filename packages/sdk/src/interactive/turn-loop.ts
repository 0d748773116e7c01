import type { SubmitOutcome } from './execution-result.ts';
import { PromptQueue, type QueuedPrompt } from './prompt-queue.ts';

interface WaitingPrompt {
  readonly prompt: QueuedPrompt;
  readonly settle: (outcome: SubmitOutcome) => void;
}

export interface TurnLoopParts {
  readonly depth: number | undefined;
  /** Answers one prompt; a rejection counts as a failed turn. `isAborted` tells whether it was called off before it began. */
  readonly run: (prompt: QueuedPrompt, isAborted: () => boolean) => Promise<SubmitOutcome>;
  /** Stops what is running. */
  readonly interrupt: () => void;
  /** Stops what runs beside the turns. */
  readonly onAbort: () => void;
}

/** Answers prompts one after the other, in the order they were let in. */
export class TurnLoop {
  readonly #parts: TurnLoopParts;
  readonly #queue: PromptQueue<WaitingPrompt>;
  #current: Promise<SubmitOutcome> | undefined;
  #isAborted = false;

  constructor(parts: TurnLoopParts) {
    this.#parts = parts;
    this.#queue = new PromptQueue(parts.depth);
  }

  /** Settles when this very prompt has been answered, or will not be. */
  submit(prompt: QueuedPrompt): Promise<SubmitOutcome> {
    if (!this.#current) return this.#execute(prompt);
    return new Promise((settle) => {
      const admission = this.#queue.put({ prompt, settle });
      if (!admission.accepted) settle({ status: 'refused', reason: 'The prompt queue is full.' });
      else admission.displaced?.settle({ status: 'superseded' });
    });
  }

  isExecuting(): boolean {
    return this.#current !== undefined;
  }

  pendingPrompt(): string | null {
    return this.#queue.peek()?.prompt.displayInput ?? null;
  }

  cancelQueue(): void {
    for (const waiting of this.#queue.clear()) waiting.settle({ status: 'superseded' });
  }

  abort(): void {
    this.cancelQueue();
    this.#parts.onAbort();
    if (!this.#current) return;
    this.#isAborted = true;
    this.#parts.interrupt();
  }

  /** Settles once nothing runs and nothing waits. */
  async idle(): Promise<void> {
    while (this.#current) await this.#current;
  }

  #execute(prompt: QueuedPrompt): Promise<SubmitOutcome> {
    this.#isAborted = false;
    const running = this.#parts
      .run(prompt, () => this.#isAborted)
      .catch((error: Error): SubmitOutcome => ({ status: 'failed', error }))
      .then((outcome) => {
        this.#current = undefined;
        this.#startNext();
        return outcome;
      });
    this.#current = running;
    return running;
  }

  #startNext(): void {
    const next = this.#queue.take();
    if (next) void this.#execute(next.prompt).then(next.settle);
  }
}
