import type { EngineEvent, EngineEventCallback } from '../engine-event.ts';

/**
 * Delivers the events of a run. A listener's error never interrupts the code that emits: it is kept and thrown at the
 * next point where the run waits for its listeners.
 */
export class EventDispatcher {
  readonly #listeners: readonly EngineEventCallback[];
  #failure: { readonly error: unknown } | undefined;
  /** Number of unsettled listener promises. */
  #pending = 0;
  #onIdle = (): void => {};

  constructor(listeners: readonly (EngineEventCallback | undefined)[]) {
    this.#listeners = listeners.filter((listener) => listener !== undefined);
  }

  /** Lets callers skip building an event without listeners. */
  get hasListeners(): boolean {
    return this.#listeners.length > 0;
  }

  emit(event: EngineEvent): void {
    for (const listener of this.#listeners) {
      try {
        const pending = listener(event);
        if (pending instanceof Promise) this.#track(pending);
      } catch (error) {
        this.fail(error);
      }
    }
  }

  /** Resolves once every listener has handled the event. */
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

  /** Resolves once every listener has handled all events so far. */
  async settle(): Promise<void> {
    if (this.#pending > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    this.throwIfFailed();
  }

  /** Keeps the first error for later; bound, so that it can be passed to `catch`. */
  readonly fail = (error: unknown): void => {
    this.#failure ??= { error };
  };

  throwIfFailed(): void {
    if (this.#failure === undefined) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  #track(pending: Promise<void>): void {
    this.#pending += 1;
    const close = (): void => {
      this.#pending -= 1;
      if (this.#pending === 0) this.#onIdle();
    };
    pending.catch(this.fail).finally(close);
  }
}
