import type { HandOverOptions, HandOverResult } from './hand-over-request.ts';

/**
 * Continues a session of one agent in another. The source is only read; the target gets a session with a new id, and
 * a manifest in Robota's home records what was written, so that `removeHandOver` can undo it.
 */
export async function handOver(options: HandOverOptions): Promise<HandOverResult> {
  // Loaded on demand: the readers and writers of all agents are large, and few sessions need them.
  const { convertSession } = await import('./convert-session.ts');
  return convertSession(options);
}
