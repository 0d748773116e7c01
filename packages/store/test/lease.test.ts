import { SessionStoreUnavailableError } from '@robota-sdk/agent-store';
import { expect, it } from 'vitest';
import { type LeaseKeeper, Leases } from '../src/adapters/lease.ts';

/** In-memory leases with the behaviour of a database. */
function keeper(): LeaseKeeper {
  const leases = new Map<string, { holder: string; until: number }>();
  return {
    async take(key, holder, forMs) {
      const lease = leases.get(key);
      if (lease && lease.holder !== holder && lease.until > Date.now()) return false;
      leases.set(key, { holder, until: Date.now() + forMs });
      return true;
    },
    async release(key, holder) {
      if (leases.get(key)?.holder === holder) leases.delete(key);
    },
  };
}

it('a lease passes to the next caller when its holder dies', async () => {
  const database = keeper();
  await database.take('key', 'a process that died', 30);

  const result = await new Leases(database, { leaseMs: 30, waitMs: 5000 }).serialize(
    'key',
    async () => 1,
  );

  expect(result).toBe(1);
});

it('a lease is renewed until the work is done, however short it is', async () => {
  const database = keeper();
  const times = { leaseMs: 90, waitMs: 5000 };
  const order: string[] = [];

  const long = new Leases(database, times).serialize('key', async () => {
    const end = Date.now() + 300;
    while (Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
    order.push('long');
  });
  const next = new Leases(database, times).serialize('key', async () => order.push('next'));
  await Promise.all([long, next]);

  expect(order).toEqual(['long', 'next']);
});

it('waiting too long for a lease fails', async () => {
  const database = keeper();
  await database.take('key', 'another', 60_000);

  const waiting = new Leases(database, { leaseMs: 100, waitMs: 30 }).serialize(
    'key',
    async () => 1,
  );

  await expect(waiting).rejects.toThrow(SessionStoreUnavailableError);
});
