import type { EngineEvent, EngineEventCallback } from '../engine-event.ts';

/**
 * Where a run reports. A listener that fails never disturbs the code that happened to be reporting: its error
 * is kept and thrown at the next point where the run waits for its listeners.
 */
export class EventOutlet {
  readonly #listeners: readonly EngineEventCallback[];
  #failure: { readonly error: unknown } | undefined;
  /** Listeners that have been told something and are not done with it. */
  #open = 0;
  #onQuiet = (): void => {};

  constructor(listeners: readonly (EngineEventCallback | undefined)[]) {
    this.#listeners = listeners.filter((listener) => listener !== undefined);
  }

  /** False spares the caller the making of an event that nobody hears. */
  get isHeard(): boolean {
    return this.#listeners.length > 0;
  }

  emit(event: EngineEvent): void {
    for (const listener of this.#listeners) {
      try {
        const pending = listener(event);
        if (pending instanceof Promise) this.#follow(pending);
      } catch (error) {
        this.fail(error);
      }
    }
  }

  /** Resolves once every listener has taken the event in. */
  async deliver(event: EngineEvent): Promise<void> {
    for (const listener of this.#listeners) {
      try {
        await listener(event);
      } catch (error) {
        this.fail(error);
      }
    }
    this.throwIfFailed();
  }

  /** Resolves once every listener is done with everything it was told. */
  async settle(): Promise<void> {
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve;
      });
    }
    this.throwIfFailed();
  }

  /** Keeps the first error for later; bound, so that it can be handed to `catch`. */
  readonly fail = (error: unknown): void => {
    this.#failure ??= { error };
  };

  throwIfFailed(): void {
    if (this.#failure === undefined) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  #follow(pending: Promise<void>): void {
    this.#open += 1;
    const close = (): void => {
      this.#open -= 1;
      if (this.#open === 0) this.#onQuiet();
    };
    pending.catch(this.fail).finally(close);
  }
}
