import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';

/** Indexes a home from nothing and says what that took. */
const home = process.argv[2] ?? '';
const catalogue = new SqliteCatalogue({ home, environment: {} });
// Loading is a part of every program's start and is measured there.
await catalogue.list();
await import('@robota-sdk/agent-transcript/architectures');
await (await import('@robota-sdk/agent-core')).loadRequestPricer();
const before = process.cpuUsage();
await catalogue.refresh();
const { user, system } = process.cpuUsage(before);
await catalogue.close();
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1000, peakMb }));
