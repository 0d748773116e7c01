import type { SessionRow } from '@robota-sdk/agent-transport/protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkElsewhere } from '../../src/live/work-elsewhere.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const row = (state: SessionRow['state'], id = 'x'): SessionRow => ({
  id,
  agent: 'codex',
  title: 'A session',
  project: 'relay',
  state,
  access: 'follow',
  is_live: state === 'working',
  updated_at: '2026-11-16T00:00:00.000Z',
  message_count: 1,
});

it('reports once that a program has stopped writing, and stops polling', async () => {
  let now = row('working');
  const read = vi.fn(async () => now);
  const reported: SessionRow[] = [];
  const work = new WorkElsewhere({ read, onIdle: (idle) => reported.push(idle) });
  work.track([row('working'), row('idle', 'other')]);

  await vi.advanceTimersByTimeAsync(11_000);
  expect(reported).toEqual([]);
  now = row('idle');
  await vi.advanceTimersByTimeAsync(30_000);

  expect(reported).toEqual([row('idle')]);
  expect(read).toHaveBeenCalledTimes(3);
  expect(vi.getTimerCount()).toBe(0);
});

it('drops a session that is gone', async () => {
  const reported: SessionRow[] = [];
  const read = () => Promise.reject(new Error('gone'));
  const work = new WorkElsewhere({ read, onIdle: (idle) => reported.push(idle) });
  work.track([row('working')]);

  await vi.advanceTimersByTimeAsync(6000);

  expect([reported, vi.getTimerCount()]).toEqual([[], 0]);
});
