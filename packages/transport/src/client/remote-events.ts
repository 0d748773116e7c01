import type { LiveSessionEvents } from '@robota-sdk/agent-sdk';
import type { ConnectionState } from './connection.ts';

/** The events of a local session, and one about the line to it. A turn's result comes without the timeline. */
export interface RemoteSessionEvents extends LiveSessionEvents {
  readonly connection: (state: ConnectionState) => void;
}
type Name = keyof RemoteSessionEvents;

/** Calls listeners in order; one that throws does not keep the others from hearing. */
export class RemoteEvents {
  readonly #listeners = new Map<Name, readonly ((...facts: never[]) => void)[]>();

  on<Event extends Name>(name: Event, listener: RemoteSessionEvents[Event]): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  off<Event extends Name>(name: Event, listener: RemoteSessionEvents[Event]): void {
    const left = this.#listeners.get(name)?.filter((candidate) => candidate !== listener);
    this.#listeners.set(name, left ?? []);
  }

  emit<Event extends Name>(name: Event, ...facts: Parameters<RemoteSessionEvents[Event]>): void {
    for (const listener of this.#listeners.get(name) ?? []) {
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
