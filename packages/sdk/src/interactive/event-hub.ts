import type { InteractiveSessionEvents, SessionNotice } from './events.ts';

type Name = keyof InteractiveSessionEvents;
type Listener = InteractiveSessionEvents[Name];

/** Bounds memory when nobody ever listens to notices. */
const MAX_PENDING_NOTICES = 100;

/**
 * Calls listeners in order. One that throws is reported and affects neither the turn nor the other listeners. Notices
 * emitted without a listener, such as problems of a saved session, are delivered to the first one that is added.
 */
export class EventHub {
  #pendingNotices: SessionNotice[] = [];
  readonly #listeners = new Map<Name, readonly Listener[]>();
  #hasStreamListener = false;
  /** The listener given to `once`, by the wrapper registered for it. */
  readonly #origins = new WeakMap<Listener, Listener>();

  on<Event extends Name>(name: Event, listener: InteractiveSessionEvents[Event]): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    if (name === 'stream_event') this.#hasStreamListener = true;
    if (name === 'notice') this.#deliverPending();
  }

  once<Event extends Name>(name: Event, listener: InteractiveSessionEvents[Event]): void {
    const wrapper = ((...values: unknown[]) => {
      this.off(name, listener);
      (listener as (...given: unknown[]) => void)(...values);
    }) as InteractiveSessionEvents[Event];
    this.#origins.set(wrapper, listener);
    this.on(name, wrapper);
  }

  off<Event extends Name>(name: Event, listener: InteractiveSessionEvents[Event]): void {
    const remaining = (this.#listeners.get(name) ?? []).filter(
      (candidate) => candidate !== listener && this.#origins.get(candidate) !== listener,
    );
    if (remaining.length > 0) this.#listeners.set(name, remaining);
    else this.#listeners.delete(name);
    if (name === 'stream_event') this.#hasStreamListener = remaining.length > 0;
  }

  hasListener(name: Name): boolean {
    return this.#listeners.has(name);
  }

  /** `hasListener('stream_event')`, asked for every text delta. */
  get hasStreamListener(): boolean {
    return this.#hasStreamListener;
  }

  /** Named parameters instead of rest: on text deltas, allocating an array costs as much as the call itself. */
  emit<Event extends Name>(
    name: Event,
    value: Parameters<InteractiveSessionEvents[Event]>[0],
    sequence?: Parameters<InteractiveSessionEvents[Event]>[1],
  ): void {
    const listeners = this.#listeners.get(name);
    if (listeners === undefined) {
      if (name === 'notice') this.#keep(value as SessionNotice);
      return;
    }
    for (const listener of listeners as readonly ((...values: unknown[]) => void)[]) {
      try {
        if (sequence === undefined) listener(value);
        else listener(value, sequence);
      } catch (error) {
        this.#report(name, error);
      }
    }
  }

  #keep(notice: SessionNotice): void {
    if (this.#pendingNotices.length < MAX_PENDING_NOTICES) this.#pendingNotices.push(notice);
  }

  /** After a `once` listener is gone, `emit` keeps the rest for the next one. */
  #deliverPending(): void {
    const pending = this.#pendingNotices;
    this.#pendingNotices = [];
    for (const notice of pending) this.emit('notice', notice);
  }

  #report(name: Name, error: unknown): void {
    const failure = new Error(`A listener of "${name}" failed: ${String(error)}`, { cause: error });
    if (name === 'error' || !this.hasListener('error')) process.emitWarning(failure);
    else this.emit('error', failure);
  }
}
