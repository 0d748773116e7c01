import type { InteractiveSessionEvents, SessionNotice } from './events.ts';

type Name = keyof InteractiveSessionEvents;
type Listener = InteractiveSessionEvents[Name];

/** Who listens to nothing is not to fill the memory. */
const MOST_UNHEARD_NOTICES = 100;

/**
 * Calls listeners in order. One that throws is reported and never disturbs the turn or the other listeners. Notices that
 * nobody heard, such as what is wrong with a saved session, are told to the first who listens to them.
 */
export class EventHub {
  #unheard: SessionNotice[] = [];
  readonly #listeners = new Map<Name, readonly Listener[]>();
  /** What was given to `once`, by what listens in its place. */
  readonly #origins = new WeakMap<Listener, Listener>();

  on<Event extends Name>(name: Event, listener: InteractiveSessionEvents[Event]): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    if (name === 'notice') this.#tellUnheard();
  }

  once<Event extends Name>(name: Event, listener: InteractiveSessionEvents[Event]): void {
    const heard = ((...facts: unknown[]) => {
      this.off(name, listener);
      (listener as (...given: unknown[]) => void)(...facts);
    }) as InteractiveSessionEvents[Event];
    this.#origins.set(heard, listener);
    this.on(name, heard);
  }

  off<Event extends Name>(name: Event, listener: InteractiveSessionEvents[Event]): void {
    const left = (this.#listeners.get(name) ?? []).filter(
      (candidate) => candidate !== listener && this.#origins.get(candidate) !== listener,
    );
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
    if (listeners === undefined) {
      if (name === 'notice') this.#keep(facts as Parameters<InteractiveSessionEvents['notice']>);
      return;
    }
    for (const listener of listeners as readonly ((...given: unknown[]) => void)[]) {
      try {
        // Pieces of text are told one by one, and spreading them costs as much as telling them.
        if (facts.length === 1) listener(facts[0]);
        else listener(...facts);
      } catch (error) {
        this.#report(name, error);
      }
    }
  }

  #keep([notice]: readonly [SessionNotice]): void {
    if (this.#unheard.length < MOST_UNHEARD_NOTICES) this.#unheard.push(notice);
  }

  /** One that listens once hears one. */
  #tellUnheard(): void {
    const unheard = this.#unheard;
    this.#unheard = [];
    for (const notice of unheard) this.emit('notice', notice);
  }

  #report(name: Name, error: unknown): void {
    const failure = new Error(`A listener of "${name}" failed: ${String(error)}`, { cause: error });
    if (name === 'error' || !this.hasListener('error')) process.emitWarning(failure);
    else this.emit('error', failure);
  }
}
