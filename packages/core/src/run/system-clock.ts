import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** A longer delay overflows Node's timers and fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  async sleep(milliseconds, signal) {
    await sleepFor(
      Math.min(milliseconds, MAX_DELAY_MS),
      undefined,
      signal === undefined ? {} : { signal },
    );
  },
  startTimer(milliseconds, fire) {
    const timer = setTimeout(fire, Math.min(milliseconds, MAX_DELAY_MS));
    return { stop: () => clearTimeout(timer) };
  },
};
