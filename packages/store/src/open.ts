import { InMemorySessionStoreAdapter } from './adapters/memory.ts';
import { createSessionStore } from './create-session-store.ts';
import { SessionInputError } from './errors/session-input-error.ts';
import type { AtomicSessionStore, SessionStoreConfig } from './session-store.ts';
import type { SessionStoreAdapter } from './session-store-adapter.ts';

/** A store with its connection. */
export interface OpenedSessionStore extends AtomicSessionStore {
  /** Closes the connection; the store cannot be used afterwards. */
  close(): Promise<void>;
}

/** Options of a store besides its address. */
export type OpenSessionStoreOptions = Omit<SessionStoreConfig, 'adapter'>;

interface ClosableAdapter extends SessionStoreAdapter {
  close(): Promise<void>;
}

/** Opens `memory:`, `sqlite:path`, `postgres://…` or `redis://…`; loads only the driver it needs. */
export async function openSessionStore(
  url: string,
  options: OpenSessionStoreOptions = {},
): Promise<OpenedSessionStore> {
  const adapter = await openAdapter(url);
  const store = createSessionStore({ ...options, adapter });
  return Object.assign(store, {
    async close() {
      if (isClosable(adapter)) await adapter.close();
    },
  });
}

async function openAdapter(url: string): Promise<SessionStoreAdapter> {
  const scheme = /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'memory':
      return new InMemorySessionStoreAdapter();
    case 'sqlite': {
      const { SqliteSessionStoreAdapter } = await import('./adapters/sqlite.ts');
      return new SqliteSessionStoreAdapter(sqlitePath(url));
    }
    case 'postgres':
    case 'postgresql': {
      const { PostgresSessionStoreAdapter } = await import('./adapters/postgres.ts');
      return new PostgresSessionStoreAdapter({ url });
    }
    case 'redis':
    case 'rediss': {
      const { RedisSessionStoreAdapter } = await import('./adapters/redis.ts');
      return new RedisSessionStoreAdapter({ url });
    }
    default:
      // The address is not repeated, because it may contain a password.
      throw new SessionInputError(
        'store address',
        `must begin with memory:, sqlite:, postgres:// or redis://, not ${scheme ?? 'without a scheme'}`,
      );
  }
}

/** Accepts `sqlite:name.db`, `sqlite:/path` and, as in other tools, `sqlite:///path`. */
function sqlitePath(url: string): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (path === '') throw new SessionInputError('store address', 'must name a file after sqlite:');
  return path;
}

function isClosable(adapter: SessionStoreAdapter): adapter is ClosableAdapter {
  return typeof Reflect.get(adapter, 'close') === 'function';
}
