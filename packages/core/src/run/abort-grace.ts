import type { Clock } from './clock.ts';

export interface AbortGrace {
  readonly signal: AbortSignal;
  readonly graceMs: number;
  readonly clock: Clock;
}

/** Stands for work that was still running when its grace after an abort was over. */
export const ABANDONED = Symbol('abandoned');

/** The work's own result, or `ABANDONED` a grace after the abort. What comes later is dropped. */
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
