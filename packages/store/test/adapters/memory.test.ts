import { InMemorySessionStoreAdapter } from '@robota-sdk/agent-store';
import { describeSessionStore } from '../contract/describe-session-store.ts';
import { describeSessionStoreAdapter } from '../contract/describe-session-store-adapter.ts';
import type { TestDatabase } from '../databases/test-database.ts';

function createMemoryDatabase(): TestDatabase {
  const adapter = new InMemorySessionStoreAdapter();
  return { connect: () => adapter, drop: async () => undefined };
}

describeSessionStoreAdapter('memory', createMemoryDatabase);
describeSessionStore('memory', createMemoryDatabase);
