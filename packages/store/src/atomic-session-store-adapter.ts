import type { SessionStoreAdapter } from './session-store-adapter.ts';
import type { StoredSession } from './stored-session.ts';

/** What becomes of a session; `undefined` leaves it as it is, a throw leaves it too and reaches the caller. */
export type SessionChange = (current: StoredSession) => StoredSession | undefined;

/**
 * Port: a session store that many processes may use at once.
 * `mutate` is one atomic step on the newest version of the session; `change` may be called several times and must only compute.
 * `serialize` runs one holder of a key at a time, whichever process it is in; calls with different keys do not wait for each other.
 * `fetchMany` answers newest activity first, then newest creation, then id, before it applies the limit.
 */
export interface AtomicSessionStoreAdapter extends SessionStoreAdapter {
  mutate(sessionId: string, change: SessionChange): Promise<StoredSession>;
  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function isAtomic(adapter: SessionStoreAdapter): adapter is AtomicSessionStoreAdapter {
  return (
    typeof Reflect.get(adapter, 'mutate') === 'function' &&
    typeof Reflect.get(adapter, 'serialize') === 'function'
  );
}
