import { join } from 'node:path';
import { FileTracker, swapFiles } from '@robota-sdk/agent-tools';

// Swaps many files and is killed at some point.
const [root = '', folder = '', count = '0'] = process.argv.slice(2);
const tracker = new FileTracker({ root, folder, cacheFolder: join(folder, 'tree') });
const paths = Array.from({ length: Number(count) }, (_, index) => join(root, `f${index}.txt`));
const current = tracker.look(paths);
const swaps = paths.map((path, index) => ({
  path,
  from: current.get(path) ?? null,
  to: `file:644:${tracker.objects.put(Buffer.from(`new ${index}`))}`,
}));
process.stdout.write('ready\n');
await swapFiles(swaps, { objects: tracker.objects, journal: join(folder, 'swap.json'), id: 'x' });
process.stdout.write('done\n');
