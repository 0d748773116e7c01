import type { Catalogue } from '@robota-sdk/agent-archive';

/** A catalogue to keep up to date. */
export interface FreshCatalogue {
  readonly catalogue: Pick<Catalogue, 'refresh'>;
  isStale(): Promise<boolean>;
}

export interface Freshening {
  /** Calls `listener` after each refresh that found changes; returns the unsubscribe function. */
  onRefresh(listener: () => void): () => void;
  /** Resolves once everything written before the call has been read; concurrent callers share one refresh. */
  catchUp(): Promise<void>;
  /** Starts no further refresh; resolves when the running one has ended. */
  stop(): Promise<void>;
}

/** Interval between refreshes, so that changes are found within a second. */
const POLL_MS = 500;
/** Interval of a full refresh: sessions idle for weeks change so rarely that checking all of them occasionally is enough. */
const SWEEP_MS = 60_000;

/** Refreshes the catalogue while a server runs. Does not keep the process alive. */
export function keepCatalogueFresh(
  { catalogue, isStale }: FreshCatalogue,
  { onError, lookMs = POLL_MS }: { onError: (error: unknown) => void; lookMs?: number },
): Freshening {
  const listeners = new Set<() => void>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let sweptAt = 0;
  const look = async (): Promise<void> => {
    const isDue = Date.now() - sweptAt >= SWEEP_MS;
    if (!isDue && !(await isStale())) return;
    if (isDue) sweptAt = Date.now();
    const { read, removed } = await catalogue.refresh({ signal: stopping.signal });
    if (read + removed > 0) for (const listener of [...listeners]) listener();
  };
  const run = (): Promise<void> =>
    look()
      .catch(onError)
      .then(() => {
        if (stopping.signal.aborted) return;
        timer = setTimeout(() => {
          running = run();
        }, lookMs).unref();
      });
  let running = run();
  let waiting: Promise<void> | undefined;
  return {
    async catchUp() {
      waiting ??= running.then(async () => {
        waiting = undefined;
        if (stopping.signal.aborted) return;
        clearTimeout(timer);
        running = run();
        await running;
      });
      await waiting;
    },
    onRefresh(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
