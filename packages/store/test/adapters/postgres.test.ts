import { afterAll, describe, it } from 'vitest';
import { describeSessionStore } from '../contract/describe-session-store.ts';
import { describeSessionStoreAdapter } from '../contract/describe-session-store-adapter.ts';
import { createPostgresDatabase } from '../databases/create.ts';
import { findPostgres, reportMissing } from '../databases/servers.ts';
import { describeRaces } from '../processes/describe-races.ts';

const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('postgres', () => it.todo('does not run without a server'));
} else {
  const create = () => createPostgresDatabase(server.url);
  afterAll(() => server.stop());

  describeSessionStoreAdapter('postgres', create);
  describeSessionStore('postgres', create);
  describeRaces('postgres', create);
}
