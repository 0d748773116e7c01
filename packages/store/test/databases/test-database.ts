import type { AtomicSessionStoreAdapter, StaleSessionIndex } from '@robota-sdk/agent-store';

export interface ClosableAdapter extends AtomicSessionStoreAdapter, StaleSessionIndex {
  close?(): Promise<void>;
}

/** How another process connects to the same database. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | (ServerTimes & { readonly kind: 'postgres'; readonly url: string; readonly schema: string })
  | (ServerTimes & { readonly kind: 'redis'; readonly url: string; readonly keyPrefix: string });

interface ServerTimes {
  readonly timeoutMs?: number;
  readonly retryForMs?: number;
}

/** A fresh, empty database that no other test uses. */
export interface TestDatabase {
  /** Opens another adapter on the same database. */
  connect(): ClosableAdapter;
  /** Closes all connections and deletes the database. */
  drop(): Promise<void>;
}

export interface SharedTestDatabase extends TestDatabase {
  readonly address: DatabaseAddress;
}
