import { readFileSync } from 'node:fs';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';

/** Indexes a home from scratch and prints time and memory. */
const home = process.argv[2] ?? '';
const catalogue = new SqliteCatalogue({ home, environment: {} });
// Module loading is part of program start and is measured there.
await catalogue.list();
await import('@robota-sdk/agent-transcript/architectures');
await (await import('@robota-sdk/agent-core')).loadRequestPricer();
const before = process.cpuUsage();
await catalogue.refresh();
const { user, system } = process.cpuUsage(before);
await catalogue.close();
const peakMb = peakKilobytes() / 1024;
/** Read from the system; `getrusage` may report the peak of the parent process. */
function peakKilobytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}

process.stdout.write(JSON.stringify({ cpu: (user + system) / 1000, peakMb }));
