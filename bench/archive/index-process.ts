import { readFileSync } from 'node:fs';
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
const peakMb = peakKilobytes() / 1024;
/** What the system says; the figure of `getrusage` may be that of the process that started this one. */
function peakKilobytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}

process.stdout.write(JSON.stringify({ cpu: (user + system) / 1000, peakMb }));
