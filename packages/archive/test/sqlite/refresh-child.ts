import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';

/** Refreshes the catalogue of the home given, telling of each session that it has read. */
const home = process.argv[2] ?? '';
const catalogue = new SqliteCatalogue({ home, environment: {} });
await catalogue.refresh({ onProgress: ({ done }) => process.stdout.write(`${done}\n`) });
await catalogue.close();
process.stdout.write('complete\n');
