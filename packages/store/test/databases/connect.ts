import { PostgresSessionStoreAdapter } from '@robota-sdk/agent-store/postgres';
import { RedisSessionStoreAdapter } from '@robota-sdk/agent-store/redis';
import { SqliteSessionStoreAdapter } from '@robota-sdk/agent-store/sqlite';
import type { ClosableAdapter, DatabaseAddress } from './test-database.ts';

export function connect(address: DatabaseAddress): ClosableAdapter {
  switch (address.kind) {
    case 'sqlite':
      return new SqliteSessionStoreAdapter(address.path);
    case 'postgres':
      return new PostgresSessionStoreAdapter({ maxConnections: 4, ...address });
    case 'redis':
      return new RedisSessionStoreAdapter(address);
  }
}
