import type { SessionHost } from './session-host.ts';

/** Handle of periodic sweeping. */
export interface HostSweeping {
  /** No sweep starts after this; resolves when the running one has ended. */
  stop(): Promise<void>;
}

/** Closes a host's idle sessions on an interval until stopped. Does not keep the process alive. */
export function sweepEvery(
  host: Pick<SessionHost, 'sweep'>,
  options: {
    /** Milliseconds from the end of one sweep to the start of the next. */
    readonly intervalMs: number;
    /** Idle time in milliseconds; the store's own limit by default. */
    readonly ttlMs?: number | undefined;
    /** Called when a sweep fails; the next one still runs. */
    readonly onError: (error: unknown) => void;
  },
): HostSweeping {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const schedule = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = host.sweep(options.ttlMs).catch(options.onError).then(schedule);
    }, options.intervalMs).unref();
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
