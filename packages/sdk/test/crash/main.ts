import { parseArgs } from 'node:util';
import { findPostgres } from '../../../store/test/databases/servers.ts';
import type { Property } from './order.ts';
import { tellStory } from './story.ts';

/** `npm run test:crash -- --kills N [--seed N] [--on files|postgres] [--bug PROPERTY]` */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    on: { type: 'string', default: 'postgres' },
    bug: { type: 'string' },
  },
});
const server = values.on === 'files' ? undefined : await findPostgres();
if (values.on !== 'files' && server === undefined) {
  throw new Error('There is no PostgreSQL: set ROBOTA_TEST_POSTGRES_URL or take --on files.');
}
const say = (line: string) => void process.stdout.write(`${line}\n`);
say(`${values.kills} kills on ${values.on}, seed ${values.seed}`);
const { violations, ...report } = await tellStory({
  kills: Number(values.kills),
  seed: Number(values.seed),
  url: server?.url,
  bug: values.bug as Property | undefined,
  say,
});
await server?.stop();
say(JSON.stringify(report));
for (const { property, what } of violations.slice(0, 20)) say(`${property}: ${what}`);
say(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
