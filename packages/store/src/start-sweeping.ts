import type { SessionStore } from './session-store.ts';
import { requireDuration } from './store-rules.ts';
import type { StoredSession } from './stored-session.ts';

/** Options of `startSweeping`. */
export interface SweepingOptions {
  /** Milliseconds from the end of one sweep to the start of the next. */
  readonly intervalMs: number;
  /** The store's own TTL by default. */
  readonly ttlMs?: number | undefined;
  /** Called with the sessions that a sweep changed, if any. */
  readonly onSwept?: ((sessions: readonly StoredSession[]) => void) | undefined;
  /** Called when a sweep fails; sweeping continues. */
  readonly onError: (error: unknown) => void;
}

/** A running sweep interval. */
export interface Sweeping {
  /** Stops sweeping; resolves when a running sweep has ended. */
  stop(): Promise<void>;
}

/** Sweeps on an interval until stopped. Does not keep the process alive. */
export function startSweeping(
  store: Pick<SessionStore, 'sweepStale'>,
  options: SweepingOptions,
): Sweeping {
  requireDuration(options.intervalMs, 'intervalMs');
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = sweepOnce(store, options).then(schedule);
    }, options.intervalMs);
    timer.unref();
  };

  schedule();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}

async function sweepOnce(
  store: Pick<SessionStore, 'sweepStale'>,
  options: SweepingOptions,
): Promise<void> {
  try {
    const swept = await (options.ttlMs === undefined
      ? // The parameter is optional in our store; other stores fall back to their own default.
        store.sweepStale()
      : store.sweepStale(options.ttlMs));
    if (swept.length > 0) options.onSwept?.(swept);
  } catch (error) {
    options.onError(error);
  }
}
