import type { AtomicSessionStoreAdapter, StaleSessionIndex } from '@robota-sdk/agent-store';

export interface ClosableAdapter extends AtomicSessionStoreAdapter, StaleSessionIndex {
  close?(): Promise<void>;
}

/** How a process of its own reaches the same database. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | (ServerTimes & { readonly kind: 'postgres'; readonly url: string; readonly schema: string })
  | (ServerTimes & { readonly kind: 'redis'; readonly url: string; readonly keyPrefix: string });

interface ServerTimes {
  readonly timeoutMs?: number;
  readonly retryForMs?: number;
}

/** A fresh, empty place for sessions that nobody else uses. */
export interface TestDatabase {
  /** Another adapter on the same sessions. */
  connect(): ClosableAdapter;
  /** Closes every connection and removes every trace. */
  drop(): Promise<void>;
}

export interface SharedTestDatabase extends TestDatabase {
  readonly address: DatabaseAddress;
}
