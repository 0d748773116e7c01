import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRow, BenchValue } from './harness.ts';

/** Runs `bench/<package>/*.ts` for the packages named on the command line, or all; `--peers` compares with other programs. */
const here = import.meta.dirname;
const wanted = process.argv.slice(2);
if (wanted.includes('--peers')) {
  const { runPeers } = await import('./peers/run-peers.ts');
  await runPeers();
  process.exit();
}
const rooms = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (wanted.length === 0 || wanted.includes(entry.name)))
  .map((entry) => entry.name)
  .sort();

const results: {
  room: string;
  name: string;
  value: number;
  unit: string;
  target: number;
  met: boolean;
  detail: string;
}[] = [];
for (const room of rooms) {
  for (const file of readdirSync(join(here, room))
    .filter((name) => name.endsWith('.bench.ts'))
    .sort()) {
    const { rows } = (await import(join(here, room, file))) as { rows: readonly BenchRow[] };
    for (const row of rows) {
      // One row that cannot be measured must not hide the others.
      const { value, detail } = await measured(row);
      const met = row.bound === 'least' ? value >= row.target : value <= row.target;
      results.push({
        room,
        name: row.name,
        value,
        unit: row.unit,
        target: row.target,
        met,
        detail,
      });
      const bound = row.bound === 'least' ? '>=' : '<=';
      console.log(
        `${met ? 'pass' : 'MISS'}  ${room.padEnd(10)} ${row.name}: ${value.toFixed(2)} ${row.unit} (target ${bound} ${row.target} ${row.unit}; ${detail})`,
      );
    }
  }
}
writeFileSync(join(here, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
const missed = results.filter((result) => !result.met).length;
console.log(`${results.length - missed} targets met, ${missed} missed`);
process.exitCode = missed === 0 ? 0 : 1;

async function measured(row: BenchRow): Promise<BenchValue> {
  try {
    return await row.measure();
  } catch (error) {
    return { value: Number.NaN, detail: error instanceof Error ? error.message : String(error) };
  }
}
