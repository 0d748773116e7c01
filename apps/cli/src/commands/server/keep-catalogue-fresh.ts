import type { Catalogue } from '@robota-sdk/agent-archive';

/** What of a catalogue can be kept up to date. */
export interface FreshCatalogue {
  readonly catalogue: Pick<Catalogue, 'refresh'>;
  isStale(): Promise<boolean>;
}

export interface Freshening {
  /** Calls `listener` whenever something new was read, until the returned function is called. */
  onRefresh(listener: () => void): () => void;
  /** Resolves once everything that was written before the call has been read; several callers share a look. */
  catchUp(): Promise<void>;
  /** No look begins after this; resolves when the running one has ended. */
  stop(): Promise<void>;
}

/** What was written is found within a second. */
const LOOK_MS = 500;
/** Sessions that rest for weeks are written to again so rarely that a look at all of them now and then will do. */
const SWEEP_MS = 60_000;

/** Reads what has changed while a server runs. Does not keep the process alive. */
export function keepCatalogueFresh(
  { catalogue, isStale }: FreshCatalogue,
  { onError, lookMs = LOOK_MS }: { onError: (error: unknown) => void; lookMs?: number },
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
