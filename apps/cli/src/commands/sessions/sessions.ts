import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';

/** `robota sessions …`: a verb and what it applies to. */
type SessionsVerb = (args: readonly string[], output: Output) => Promise<number>;

/** The second word of `robota sessions`. */
export const VERBS: Readonly<Record<string, () => Promise<SessionsVerb>>> = {
  list: async () => (await import('./list.ts')).listSessions,
  show: async () => (await import('./show.ts')).showSession,
  follow: async () => (await import('./follow.ts')).followOne,
  search: async () => (await import('./search.ts')).searchSessions,
  export: async () => (await import('./export.ts')).exportSession,
  rename: async () => (await import('./rename.ts')).renameOne,
  fork: async () => (await import('./fork.ts')).forkOne,
  'take-over': async () => (await import('./take-over.ts')).takeOverOne,
  scrub: async () => (await import('./scrub.ts')).scrubOne,
  delete: async () => (await import('./delete.ts')).deleteOne,
};

export async function runSessions(args: readonly string[], output: Output): Promise<number> {
  const [verb = 'list', ...rest] = args;
  const name = verb.startsWith('-') ? 'list' : verb;
  const load = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (!load)
    throw new UsageError(`Unknown verb "${verb}". Valid: ${Object.keys(VERBS).join(' | ')}`);
  return (await load())(verb === name ? rest : args, output);
}
