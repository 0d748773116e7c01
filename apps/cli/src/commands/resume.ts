import { readFlags } from '../arguments/read-flags.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { findSession, isOwn } from './find-session.ts';
import { resumeElsewhere } from './resume-elsewhere.ts';
import { runPrompt } from './run-prompt.ts';

const FLAGS = {
  as: { type: 'string' },
  'dry-run': { type: 'boolean' },
  full: { type: 'boolean' },
  'when-long': { type: 'string' },
  remove: { type: 'string' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

const USAGE =
  'Usage: robota resume <session> [--as claude|codex|gemini|robota] [prompt], or robota resume --remove <id>';

/** Resumes a session in its own program and directory, or with `--as` in another agent's program. */
export async function runResume(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference, ...words] = positionals;
  if (values.remove !== undefined) {
    if (reference !== undefined) throw new UsageError(USAGE);
    const { removeWritten } = await import('./hand-over/remove-written.ts');
    return removeWritten(values.remove, output, values.json === true);
  }
  if (reference === undefined) throw new UsageError(USAGE);
  if (values.as !== undefined) {
    const { resumeAs } = await import('./hand-over/resume-as.ts');
    const { as: to, full, json, 'dry-run': dryRun, 'when-long': whenLong } = values;
    return resumeAs({ reference, words, to, whenLong, full, json, dryRun }, output);
  }
  const stray = (['dry-run', 'full', 'when-long', 'json'] as const).find(
    (flag) => values[flag] !== undefined,
  );
  if (stray) throw new UsageError(`--${stray} needs --as. ${USAGE}`);
  const session = await findSession(reference, output);
  if (isOwn(session)) {
    return runPrompt(['-r', session.id, ...(words.length > 0 ? [words.join(' ')] : [])], output);
  }
  return resumeElsewhere(session, words, output);
}
