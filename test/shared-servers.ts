import process from 'node:process';
import { findPostgres, findRedis, type Server } from '../packages/store/test/databases/servers.ts';

let servers: readonly (Server | undefined)[] = [];

/** In a whole run, all files share the database servers; a file that runs alone starts what it needs. */
export async function setup(): Promise<void> {
  if (process.env.ROBOTA_TEST_WHOLE !== '1') return;
  const [postgres, redis] = await Promise.all([findPostgres(), findRedis()]);
  servers = [postgres, redis];
  if (postgres) process.env.ROBOTA_TEST_POSTGRES_URL = postgres.url;
  if (redis) process.env.ROBOTA_TEST_REDIS_URL = redis.url;
}

export async function teardown(): Promise<void> {
  await Promise.all(servers.map(async (server) => server?.stop()));
}
