import type { Entry } from '@robota-sdk/agent-core/log';
import { isFenced } from './session-error.ts';

/**
 * Emits entries in the order of their numbers when some are written asynchronously: an entry waits for all earlier
 * writes, and is emitted at once if there are none. After another writer took over the session nothing is emitted.
 */
export class EmitQueue {
  readonly #emit: (entry: Entry) => void;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #loss: { readonly error: unknown } | undefined;

  constructor(emit: (entry: Entry) => void) {
    this.#emit = emit;
  }

  /** Whether an entry appended now can be emitted at once. */
  get isImmediate(): boolean {
    return this.#waiting === 0 && this.#loss === undefined;
  }

  emit(entry: Entry): void {
    if (this.#loss) return;
    if (this.#waiting === 0) this.#emit(entry);
    else void this.#enqueue(() => this.#emit(entry));
  }

  /** Rejects when the entry may not be written; then neither it nor any later entry is emitted. */
  emitAfter(written: Promise<void>, entry: Entry): Promise<void> {
    return this.#enqueue(() => this.#emit(entry), written);
  }

  /** Makes later entries wait for a write that has no entry of its own. */
  after(written: Promise<void>): Promise<void> {
    return this.#enqueue(() => undefined, written);
  }

  /** True while entries or writes are pending. */
  get isPending(): boolean {
    return this.#waiting > 0;
  }

  /** Settles when nothing is pending; rejects once the session is lost. */
  async idle(): Promise<void> {
    await this.#last;
    if (this.#loss) throw this.#loss.error;
  }

  #enqueue(step: () => void, written?: Promise<void>): Promise<void> {
    this.#waiting += 1;
    // The step below handles a rejection later; this avoids an unhandled one until then.
    written?.catch(() => undefined);
    const done = this.#last.then(async () => {
      if (this.#loss) throw this.#loss.error;
      await written;
      step();
    });
    // A failed entry must not reject the entries after it, unless the session is lost.
    this.#last = done.catch((error: unknown) => {
      if (isFenced(error)) this.#loss ??= { error };
    });
    void this.#last.then(() => {
      this.#waiting -= 1;
    });
    return done;
  }
}
