import {
  createSessionStore,
  defaultAffinityResolver,
  resolveSession,
  type SessionStoreConfig,
} from '@robota-sdk/agent-store';
import { connect } from '../databases/connect.ts';
import type { DatabaseAddress } from '../databases/test-database.ts';
import type { Command, Report } from './command.ts';

/** A worker process that runs the given steps on the shared database. */
const adapter = connect(JSON.parse(process.argv[2] ?? '') as DatabaseAddress);

process.on('message', (command: Command) => {
  void run(command).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());

async function run({ call, options, steps }: Command): Promise<Report> {
  const store = createSessionStore({ ...(options as Partial<SessionStoreConfig>), adapter });
  const outcomes: Report['outcomes'][number][] = [];
  for (const [method, ...args] of steps) {
    try {
      outcomes.push({ value: await perform(store, method, args) });
    } catch (error) {
      outcomes.push({ error: error instanceof Error ? error.name : String(error) });
    }
  }
  return { call, outcomes };
}

async function perform(
  store: ReturnType<typeof createSessionStore>,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  if (method === 'resolveSession') {
    const [message] = args as [Parameters<typeof resolveSession>[0]];
    return resolveSession(message, store, defaultAffinityResolver(store));
  }
  const operation: unknown = Reflect.get(store, method);
  return (operation as (...values: unknown[]) => unknown).apply(store, [...args]);
}
