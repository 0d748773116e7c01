import type { InteractiveSessionEvents } from './events.ts';

type Name = keyof InteractiveSessionEvents;
type Listener = InteractiveSessionEvents[Name];

/** Calls listeners in order. One that throws is reported and never disturbs the turn or the other listeners. */
export class EventHub {
  readonly #listeners = new Map<Name, readonly Listener[]>();

  on<Event extends Name>(name: Event, listener: InteractiveSessionEvents[Event]): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  off<Event extends Name>(name: Event, listener: InteractiveSessionEvents[Event]): void {
    const left = (this.#listeners.get(name) ?? []).filter((candidate) => candidate !== listener);
    if (left.length > 0) this.#listeners.set(name, left);
    else this.#listeners.delete(name);
  }

  hasListener(name: Name): boolean {
    return this.#listeners.has(name);
  }

  emit<Event extends Name>(
    name: Event,
    ...facts: Parameters<InteractiveSessionEvents[Event]>
  ): void {
    const listeners = this.#listeners.get(name);
    if (listeners === undefined) return;
    for (const listener of listeners) {
      try {
        (listener as (...given: unknown[]) => void)(...facts);
      } catch (error) {
        this.#report(name, error);
      }
    }
  }

  #report(name: Name, error: unknown): void {
    const failure = new Error(`A listener of "${name}" failed: ${String(error)}`, { cause: error });
    if (name === 'error' || !this.hasListener('error')) process.emitWarning(failure);
    else this.emit('error', failure);
  }
}
