import { type Session, startSweeping } from '@robota-sdk/agent-store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aSession } from './contract/sessions.ts';

describe('startSweeping', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sweeps after every interval until stopped', async () => {
    const ttls: (number | undefined)[] = [];
    const swept: Session[][] = [];
    const session = aSession();
    const store = {
      async sweepStale(ttlMs?: number) {
        ttls.push(ttlMs);
        return ttls.length === 2 ? [session] : [];
      },
    };
    const sweeping = startSweeping(store, {
      intervalMs: 1000,
      ttlMs: 5,
      onSwept: (sessions) => swept.push([...sessions]),
      onError: (error) => expect(error).toBeUndefined(),
    });

    await vi.advanceTimersByTimeAsync(3500);
    await sweeping.stop();
    await vi.advanceTimersByTimeAsync(5000);

    expect(ttls).toEqual([5, 5, 5]);
    expect(swept).toEqual([[session]]);
  });

  it('never runs two sweeps at once, and stop waits for the running one', async () => {
    const { promise, resolve } = openPromise<Session[]>();
    let started = 0;
    const store = {
      sweepStale() {
        started++;
        return promise;
      },
    };
    const sweeping = startSweeping(store, { intervalMs: 10, onError: () => undefined });
    await vi.advanceTimersByTimeAsync(100);

    let hasStopped = false;
    const stopping = sweeping.stop().then(() => {
      hasStopped = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect([started, hasStopped]).toEqual([1, false]);
    resolve([]);
    await stopping;
    await vi.advanceTimersByTimeAsync(100);

    expect([started, hasStopped]).toEqual([1, true]);
  });

  it('reports a failed sweep and continues', async () => {
    const errors: unknown[] = [];
    let sweeps = 0;
    const store = {
      async sweepStale(): Promise<Session[]> {
        if (++sweeps === 1) throw new Error('down');
        return [];
      },
    };
    const sweeping = startSweeping(store, {
      intervalMs: 10,
      onError: (error) => errors.push(error),
    });

    await vi.advanceTimersByTimeAsync(25);
    await sweeping.stop();

    expect([sweeps, errors]).toEqual([2, [new Error('down')]]);
  });
});

function openPromise<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
