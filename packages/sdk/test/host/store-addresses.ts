import { join } from 'node:path';
import {
  createPostgresAddress,
  createRedisAddress,
  type TestAddress,
} from '../../../store/test/databases/create.ts';
import { findPostgres, findRedis, reportMissing } from '../../../store/test/databases/servers.ts';

/** Every kind of store that a server can be given an address of, as far as this machine has it. */
export async function storeAddresses(): Promise<
  Readonly<Record<string, (folder: string) => Promise<TestAddress>>>
> {
  const [postgres, redis] = await Promise.all([findPostgres(), findRedis()]);
  if (!postgres) reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  if (!redis) reportMissing('Redis', 'ROBOTA_TEST_REDIS_URL');
  const drop = async () => undefined;
  return {
    memory: async () => ({ url: 'memory:', drop }),
    sqlite: async (folder) => ({ url: `sqlite:${join(folder, 's.db')}`, drop }),
    ...(postgres && { postgres: () => createPostgresAddress(postgres.url) }),
    ...(redis && { redis: () => createRedisAddress(redis.url) }),
  };
}
