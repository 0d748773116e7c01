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

/** A unique database address and its cleanup. */
export interface TestAddress {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a separate database on a shared server. */
export async function createPostgresAddress(server: string): Promise<TestAddress> {
  const name = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
  const run = async (command: string) => {
    const sql = postgres(server, { max: 1, onnotice: () => undefined });
    await sql.unsafe(command);
    await sql.end();
  };
  await run(`CREATE DATABASE "${name}"`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) };
}

/** Claims one of the numbered databases of a Redis that is empty and not used by another test. */
export async function createRedisAddress(server: string): Promise<TestAddress> {
  for (let index = 15; index > 0; index--) {
    const redis = new Redis(server, { db: index });
    try {
      const isEmpty = (await redis.dbsize()) === 0;
      if (!isEmpty || (await redis.set('robota-test', '1', 'NX')) === null) continue;
      const url = new URL(server);
      url.pathname = `/${index}`;
      return { url: url.href, drop: () => emptyRedis(url.href) };
    } finally {
      redis.disconnect();
    }
  }
  throw new Error(`No database of ${server} is free for a test`);
}

async function emptyRedis(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushdb();
  redis.disconnect();
}
