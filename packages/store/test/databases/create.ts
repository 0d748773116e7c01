import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import { connect } from './connect.ts';
import type { ClosableAdapter, DatabaseAddress, SharedTestDatabase } from './test-database.ts';

export function createSqliteDatabase(): SharedTestDatabase {
  const directory = mkdtempSync(join(tmpdir(), 'robota-store-'));
  const address = { kind: 'sqlite', path: join(directory, 'sessions.db') } as const;
  return sharedDatabase(address, async () => rmSync(directory, { recursive: true, force: true }));
}

export function createPostgresDatabase(url: string): SharedTestDatabase {
  const schema = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
  return sharedDatabase({ kind: 'postgres', url, schema }, async () => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    await sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await sql.end();
  });
}

export function createRedisDatabase(url: string): SharedTestDatabase {
  const keyPrefix = `{robota-test-${crypto.randomUUID()}}:`;
  return sharedDatabase({ kind: 'redis', url, keyPrefix }, async () => {
    const redis = new Redis(url);
    for await (const keys of redis.scanStream({ match: `${keyPrefix}*`, count: 1000 })) {
      if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
    }
    redis.disconnect();
  });
}

function sharedDatabase(address: DatabaseAddress, remove: () => Promise<void>): SharedTestDatabase {
  const connected: ClosableAdapter[] = [];
  return {
    address,
    connect() {
      const adapter = connect(address);
      connected.push(adapter);
      return adapter;
    },
    async drop() {
      await Promise.all(connected.map(async (adapter) => adapter.close?.()));
      await remove();
    },
  };
}
