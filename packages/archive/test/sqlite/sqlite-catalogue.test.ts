import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { describeCatalogue } from '../describe-catalogue.ts';

describeCatalogue('sqlite', (home) => new SqliteCatalogue({ home, environment: {} }));
