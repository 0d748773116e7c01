import type { HandOverOptions, HandOverResult } from './hand-over-request.ts';

/**
 * Makes a session of one agent go on in another. The source is only read; the target gets a session of a new id,
 * and a note below our home says what was written, so that `removeHandOver` can take it back.
 */
export async function handOver(options: HandOverOptions): Promise<HandOverResult> {
  // The readers and writers of every agent's files are much code, which few sessions need.
  const { convertSession } = await import('./convert-session.ts');
  return convertSession(options);
}
