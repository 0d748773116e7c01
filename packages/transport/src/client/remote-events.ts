import type { LiveSessionEvents, SessionNotice } from '@robota-sdk/agent-sdk';
import type { ConnectionState } from './connection.ts';

/** The events of a local session, plus `connection`. A turn's result comes without its history. */
export interface RemoteSessionEvents extends LiveSessionEvents {
  readonly connection: (state: ConnectionState) => void;
}
/** Bounds the memory of a client that never listens for notices. */
const MAX_PENDING_NOTICES = 100;

type Name = keyof RemoteSessionEvents;

/**
 * Calls listeners in order; one that throws does not affect the others. Notices without a listener are kept for the
 * first one, as in a local session.
 */
export class RemoteEvents {
  #pendingNotices: SessionNotice[] = [];
  readonly #listeners = new Map<Name, readonly ((...facts: never[]) => void)[]>();

  on<Event extends Name>(name: Event, listener: RemoteSessionEvents[Event]): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    if (name !== 'notice') return;
    const pending = this.#pendingNotices;
    this.#pendingNotices = [];
    for (const notice of pending) this.emit('notice', notice);
  }

  off<Event extends Name>(name: Event, listener: RemoteSessionEvents[Event]): void {
    const left = this.#listeners.get(name)?.filter((candidate) => candidate !== listener);
    this.#listeners.set(name, left ?? []);
  }

  emit<Event extends Name>(name: Event, ...facts: Parameters<RemoteSessionEvents[Event]>): void {
    const listeners = this.#listeners.get(name) ?? [];
    if (
      name === 'notice' &&
      listeners.length === 0 &&
      this.#pendingNotices.length < MAX_PENDING_NOTICES
    ) {
      this.#pendingNotices.push(facts[0] as SessionNotice);
    }
    for (const listener of listeners) {
      try {
        (listener as (...given: unknown[]) => void)(...facts);
      } catch (error) {
        // Reported as an uncaught error, after the other listeners ran.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
