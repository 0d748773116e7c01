import { afterAll, describe, it } from 'vitest';
import { describeSessionStore } from '../contract/describe-session-store.ts';
import { describeSessionStoreAdapter } from '../contract/describe-session-store-adapter.ts';
import { createRedisDatabase } from '../databases/create.ts';
import { findRedis, reportMissing } from '../databases/servers.ts';
import { describeRaces } from '../processes/describe-races.ts';

const server = await findRedis();

if (server === undefined) {
  reportMissing('Redis', 'ROBOTA_TEST_REDIS_URL');
  describe('redis', () => it.todo('does not run without a server'));
} else {
  const create = () => createRedisDatabase(server.url);
  afterAll(() => server.stop());

  describeSessionStoreAdapter('redis', create);
  describeSessionStore('redis', create);
  describeRaces('redis', create);
}
