import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** A longer wait would overflow Node's timers and end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  async sleep(milliseconds, signal) {
    await sleepFor(
      Math.min(milliseconds, LONGEST_WAIT_MS),
      undefined,
      signal === undefined ? {} : { signal },
    );
  },
  startTimer(milliseconds, fire) {
    const timer = setTimeout(fire, Math.min(milliseconds, LONGEST_WAIT_MS));
    return { stop: () => clearTimeout(timer) };
  },
};
