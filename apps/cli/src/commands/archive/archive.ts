import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';

/** `robota archive …`: a verb and what it applies to. */
type ArchiveVerb = (args: readonly string[], output: Output) => Promise<number>;

const VERBS: Readonly<Record<string, () => Promise<ArchiveVerb>>> = {
  migrate: async () => (await import('./migrate.ts')).migrateArchive,
  check: async () => (await import('./check.ts')).checkArchive,
  stats: async () => (await import('./stats.ts')).showStats,
  import: async () => (await import('./import.ts')).importSessions,
  export: async () => (await import('./export.ts')).exportSessions,
  prune: async () => (await import('./prune.ts')).pruneArchive,
};

export async function runArchive(args: readonly string[], output: Output): Promise<number> {
  const [verb = '', ...rest] = args;
  const load = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!load) {
    throw new UsageError(`Usage: robota archive ${Object.keys(VERBS).join('|')} [--archive URL]`);
  }
  return (await load())(rest, output);
}
