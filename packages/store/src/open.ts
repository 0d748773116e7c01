import { InMemorySessionStoreAdapter } from './adapters/memory.ts';
import { createSessionStore } from './create-session-store.ts';
import { SessionInputError } from './errors/session-input-error.ts';
import type { AtomicSessionStore, SessionStoreConfig } from './session-store.ts';
import type { SessionStoreAdapter } from './session-store-adapter.ts';

/** A store together with the connection it was opened on. */
export interface OpenedSessionStore extends AtomicSessionStore {
  /** Ends the connection; the store is of no use afterwards. */
  close(): Promise<void>;
}

/** What a store may be told besides its address. */
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
      // The address itself may hold a password and is not repeated.
      throw new SessionInputError(
        'store address',
        `must begin with memory:, sqlite:, postgres:// or redis://, not ${scheme ?? 'without a scheme'}`,
      );
  }
}

/** `sqlite:name.db` and `sqlite:/path` as written; `sqlite:///path` as in other tools' addresses. */
function sqlitePath(url: string): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (path === '') throw new SessionInputError('store address', 'must name a file after sqlite:');
  return path;
}

function isClosable(adapter: SessionStoreAdapter): adapter is ClosableAdapter {
  return typeof Reflect.get(adapter, 'close') === 'function';
}
