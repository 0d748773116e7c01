import { useMemo, useSyncExternalStore } from 'react';
import { RemoteSession, type RemoteSessionOptions } from '../client/remote-session.ts';
import {
  type RemoteSessionState,
  type RemoteSessionStore,
  remoteSessionStore,
} from './remote-session-store.ts';

/** Connection options of `useSession`. */
export type UseSessionOptions = Omit<RemoteSessionOptions, 'url' | 'sessionId'>;

/**
 * A server's session in a component: its state and actions. It stays connected while the component is mounted. `options` are read when `url`, `sessionId`, the token or the agent change.
 */
export function useSession(
  url: string,
  sessionId: string,
  options: UseSessionOptions = {},
): readonly [RemoteSessionState, RemoteSessionStore] {
  const { token, agent } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new options object is not a new session.
  const store = useMemo(
    () =>
      remoteSessionStore({ open: () => new RemoteSession({ ...options, url, sessionId, token }) }),
    [url, sessionId, token, agent],
  );
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState);
  return [state, store];
}
