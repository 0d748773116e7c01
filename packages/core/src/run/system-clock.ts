import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from './clock.ts';

export const systemClock: Clock = {
  async sleep(milliseconds, signal) {
    await sleepFor(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
  startTimer(milliseconds, fire) {
    const timer = setTimeout(fire, milliseconds);
    return { stop: () => clearTimeout(timer) };
  },
};
