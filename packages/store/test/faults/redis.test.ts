import { afterAll, describe, it } from 'vitest';
import { createRedisDatabase } from '../databases/create.ts';
import { findRedis, reportMissing } from '../databases/servers.ts';
import { describeFaults } from './describe-faults.ts';

const server = await findRedis();

if (server === undefined) {
  reportMissing('Redis with faults', 'ROBOTA_TEST_REDIS_URL');
  describe('redis', () => it.todo('does not run without a server'));
} else {
  afterAll(() => server.stop());
  describeFaults({
    name: 'redis',
    url: server.url,
    standardPort: 6379,
    create: () => createRedisDatabase(server.url),
  });
}
