import { readFlags } from '../arguments/read-flags.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { findSession, isOwn } from './find-session.ts';
import { resumeElsewhere } from './resume-elsewhere.ts';
import { runPrompt } from './run-prompt.ts';

/** Goes on with a session: ours here, a foreign one in its own program and directory. */
export async function runResume(args: readonly string[], output: Output): Promise<number> {
  const { positionals } = readFlags(args, { debug: { type: 'boolean' } } as const);
  const [reference, ...words] = positionals;
  if (reference === undefined) throw new UsageError('Usage: robota resume <id|name|last> [prompt]');
  const session = await findSession(reference, output);
  if (isOwn(session)) {
    return runPrompt(['-r', session.id, ...(words.length > 0 ? [words.join(' ')] : [])], output);
  }
  return resumeElsewhere(session, words, output);
}
