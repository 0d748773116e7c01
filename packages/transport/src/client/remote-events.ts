import type { LiveSessionEvents, SessionNotice } from '@robota-sdk/agent-sdk';
import type { ConnectionState } from './connection.ts';

/** The events of a local session, and one about the line to it. A turn's result comes without the timeline. */
export interface RemoteSessionEvents extends LiveSessionEvents {
  readonly connection: (state: ConnectionState) => void;
}
/** Who listens to nothing is not to fill the memory. */
const MOST_UNHEARD = 100;

type Name = keyof RemoteSessionEvents;

/**
 * Calls listeners in order; one that throws does not keep the others from hearing. Notices that nobody heard are told to
 * the first who listens to them, as a local session does.
 */
export class RemoteEvents {
  #unheard: SessionNotice[] = [];
  readonly #listeners = new Map<Name, readonly ((...facts: never[]) => void)[]>();

  on<Event extends Name>(name: Event, listener: RemoteSessionEvents[Event]): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    if (name !== 'notice') return;
    const unheard = this.#unheard;
    this.#unheard = [];
    for (const notice of unheard) this.emit('notice', notice);
  }

  off<Event extends Name>(name: Event, listener: RemoteSessionEvents[Event]): void {
    const left = this.#listeners.get(name)?.filter((candidate) => candidate !== listener);
    this.#listeners.set(name, left ?? []);
  }

  emit<Event extends Name>(name: Event, ...facts: Parameters<RemoteSessionEvents[Event]>): void {
    const listeners = this.#listeners.get(name) ?? [];
    if (name === 'notice' && listeners.length === 0 && this.#unheard.length < MOST_UNHEARD) {
      this.#unheard.push(facts[0] as SessionNotice);
    }
    for (const listener of listeners) {
      try {
        (listener as (...given: unknown[]) => void)(...facts);
      } catch (error) {
        // Told where uncaught errors go, after the others have heard.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
