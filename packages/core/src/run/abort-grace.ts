import type { ToolOutcome } from '../tool.ts';
import type { Clock } from './clock.ts';

export interface AbortGrace {
  readonly signal: AbortSignal;
  readonly graceMs: number;
  readonly clock: Clock;
}

/** Outcome of a tool call that an abort prevented from starting or finishing. */
export const INTERRUPTED: ToolOutcome = {
  success: false,
  error: 'Execution interrupted by user',
  errorCode: 'interrupted',
};

/** Result of work that was still running when the grace period after an abort ended. */
export const ABANDONED = Symbol('abandoned');

/**
 * The result of the work, or `ABANDONED` when the grace period after an abort ends first; a later result is dropped.
 */
export async function untilAbandoned<Result>(
  work: Promise<Result>,
  { signal, graceMs, clock }: AbortGrace,
): Promise<Result | typeof ABANDONED> {
  let stop = (): void => {};
  const abandoned = new Promise<typeof ABANDONED>((resolve) => {
    const begin = (): void => {
      const timer = clock.startTimer(graceMs, () => resolve(ABANDONED));
      stop = () => timer.stop();
    };
    stop = () => signal.removeEventListener('abort', begin);
    if (signal.aborted) begin();
    else signal.addEventListener('abort', begin, { once: true });
  });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    stop();
  }
}
