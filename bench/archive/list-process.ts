import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';

/** What `robota sessions` does: open, check for changes, print the first page. */
const home = process.argv[2] ?? '';
const catalogue = new SqliteCatalogue({ home, environment: {} });
const { sessions } = await catalogue.list();
await catalogue.isStale();
process.stdout.write(`${sessions.map(({ title }) => title).join('\n')}\n`);
await catalogue.close();
