import { afterAll, describe, it } from 'vitest';
import { createPostgresDatabase } from '../databases/create.ts';
import { findPostgres, reportMissing } from '../databases/servers.ts';
import { describeFaults } from './describe-faults.ts';

const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL with faults', 'ROBOTA_TEST_POSTGRES_URL');
  describe('postgres', () => it.todo('does not run without a server'));
} else {
  afterAll(() => server.stop());
  describeFaults({
    name: 'postgres',
    url: server.url,
    standardPort: 5432,
    create: () => createPostgresDatabase(server.url),
  });
}
