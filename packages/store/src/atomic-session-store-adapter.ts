import type { SessionStoreAdapter } from './session-store-adapter.ts';
import type { StoredSession } from './stored-session.ts';

/** Computes the changed session; `undefined` or a throw leaves it unchanged, and the error reaches the caller. */
export type SessionChange = (current: StoredSession) => StoredSession | undefined;

/**
 * Port: a session store that many processes may use concurrently.
 * `mutate` atomically changes the latest version of the session; `change` may be called several times and must be pure.
 * `serialize` runs one callback per key at a time, across processes; calls with different keys do not block each other.
 * `fetchMany` sorts by newest activity, then newest creation, then id, before it applies the limit.
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
