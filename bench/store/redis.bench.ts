import { Redis } from 'ioredis';
import { MEMBER_PREFIX_LENGTH, RedisKeys } from '../../packages/store/src/adapters/redis/keys.ts';
import { FIND_SCRIPT, WRITE_SCRIPT } from '../../packages/store/src/adapters/redis/scripts.ts';
import { toRecord } from '../../packages/store/src/adapters/session-record.ts';
import { readQuery } from '../../packages/store/src/session-query.ts';
import { createRedisDatabase } from '../../packages/store/test/databases/create.ts';
import { findRedis } from '../../packages/store/test/databases/servers.ts';
import { type LoadedDatabase, type RawDriver, storeRows } from './rows.ts';
import { benchSession } from './sessions.ts';

const server = await findRedis();
if (server === undefined)
  console.error('*** NOT RUN: the rows on Redis; set ROBOTA_TEST_REDIS_URL. ***');

export const rows =
  server === undefined
    ? []
    : storeRows({ name: 'Redis', target: 0.6, load: (count) => load(server.url, count) });

async function load(url: string, count: number): Promise<LoadedDatabase> {
  const shared = createRedisDatabase(url);
  const adapter = shared.connect();
  await adapter.fetchById('connects');
  if (shared.address.kind !== 'redis') throw new Error('The Redis database is not one');
  const redis = new Redis(url);
  const keys = new RedisKeys(shared.address.keyPrefix);
  for (let start = 0; start < count; start += 1000) {
    const pipeline = redis.pipeline();
    for (let index = start; index < Math.min(start + 1000, count); index++) {
      const session = benchSession(index);
      pipeline.hset(keys.session(session.id), {
        revision: 'loaded',
        record: toRecord(session),
      });
      for (const [key, score] of keys.places(session))
        pipeline.zadd(key, score, keys.member(session));
    }
    await pipeline.exec();
  }
  return {
    adapter,
    raw: await rawDriver(redis, keys),
    async drop() {
      redis.disconnect();
      await shared.drop();
    },
  };
}

async function rawDriver(redis: Redis, keys: RedisKeys): Promise<RawDriver> {
  const write = String(await redis.script('LOAD', WRITE_SCRIPT));
  const find = String(await redis.script('LOAD', FIND_SCRIPT));
  const replace = async (index: number, surfaces: string[]): Promise<void> => {
    const session = { ...benchSession(index), attachedSurfaces: surfaces };
    const places = keys.places({ ...session, lastActivityAt: new Date().toISOString() });
    const key = keys.session(session.id);
    const [, revision] = await redis.hmget(key, 'record', 'revision');
    await redis.evalsha(
      write,
      1 + places.size,
      key,
      ...places.keys(),
      String(revision),
      crypto.randomUUID(),
      toRecord(session),
      keys.member(session),
      0,
      ...places.values(),
    );
  };

  return {
    touch: (index) => replace(index, [`web-${index}`]),
    attach: (index, step) => replace(index, [`web-${index}`, `new-${step}`]),
    async findByUser(userId) {
      const query = readQuery({ userId });
      const sets = query.states.flatMap((state) => keys.setsFor(query, state));
      const args = [1, '-inf', '+inf', 50, keys.sessionPrefix, MEMBER_PREFIX_LENGTH];
      await redis.evalsha(find, sets.length, ...sets, ...args);
    },
  };
}
