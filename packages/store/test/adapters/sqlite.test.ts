import { describeSessionStore } from '../contract/describe-session-store.ts';
import { describeSessionStoreAdapter } from '../contract/describe-session-store-adapter.ts';
import { createSqliteDatabase } from '../databases/create.ts';
import { describeRaces } from '../processes/describe-races.ts';

describeSessionStoreAdapter('sqlite', createSqliteDatabase);
describeSessionStore('sqlite', createSqliteDatabase);
describeRaces('sqlite', createSqliteDatabase);
