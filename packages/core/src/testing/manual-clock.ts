import type { Clock, ClockTimer } from '../run/clock.ts';

/** A clock for tests; time advances only with `advance`. */
export interface ManualClock extends Clock {
  /** All requested sleeps so far, in milliseconds. */
  readonly sleeps: readonly number[];
  /** Advances time and fires due timers, in order. */
  advance(milliseconds: number): void;
}

interface Alarm {
  readonly at: number;
  readonly fire: () => void;
}

/** Creates a clock that stands still; `sleep` returns at once and is recorded. */
export function manualClock(): ManualClock {
  const sleeps: number[] = [];
  let alarms: readonly Alarm[] = [];
  let now = 0;
  return {
    sleeps,
    async sleep(milliseconds, signal) {
      sleeps.push(milliseconds);
      await Promise.resolve();
      signal?.throwIfAborted();
    },
    startTimer(milliseconds, fire): ClockTimer {
      const alarm = { at: now + milliseconds, fire };
      alarms = [...alarms, alarm];
      return {
        stop() {
          alarms = alarms.filter((other) => other !== alarm);
        },
      };
    },
    advance(milliseconds) {
      const end = now + milliseconds;
      for (let next = earliest(alarms); next !== undefined && next.at <= end; ) {
        const due = next;
        now = due.at;
        alarms = alarms.filter((other) => other !== due);
        due.fire();
        next = earliest(alarms);
      }
      now = end;
    },
  };
}

function earliest(alarms: readonly Alarm[]): Alarm | undefined {
  return alarms.reduce<Alarm | undefined>(
    (first, alarm) => (first === undefined || alarm.at < first.at ? alarm : first),
    undefined,
  );
}
