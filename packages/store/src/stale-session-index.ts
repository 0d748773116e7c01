import type { StoredSession } from './stored-session.ts';

/** Which sessions count as stale. */
export interface StaleQuery {
  /** `active`: idle since `before`. `suspended`: suspended since `before`. */
  readonly state: 'active' | 'suspended';
  /** ISO-8601; only sessions strictly older. */
  readonly before: string;
  readonly limit: number;
}

/** Port: finds stale sessions without reading the others. In no particular order. */
export interface StaleSessionIndex {
  fetchStale(query: StaleQuery): Promise<StoredSession[]>;
}

export function hasStaleIndex<Adapter extends object>(
  adapter: Adapter,
): adapter is Adapter & StaleSessionIndex {
  return typeof Reflect.get(adapter, 'fetchStale') === 'function';
}
