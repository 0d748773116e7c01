import { type AtomicSessionStore, createSessionStore, type Session } from '@robota-sdk/agent-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ago, aSession, idsOf } from '../contract/sessions.ts';
import type { ClosableAdapter, SharedTestDatabase } from '../databases/test-database.ts';
import type { Outcome, Step } from './command.ts';
import { Crew } from './crew.ts';

const HOUR = 3_600_000;
const PROCESSES = 6;

/** The guarantees when many processes use the same sessions concurrently. */
export function describeRaces(name: string, create: () => SharedTestDatabase): void {
  describe(`${PROCESSES} processes on ${name}`, () => {
    let database: SharedTestDatabase;
    let adapter: ClosableAdapter;
    let store: AtomicSessionStore;
    let crew: Crew;

    beforeAll(async () => {
      database = create();
      crew = await Crew.start(database.address, PROCESSES);
      adapter = database.connect();
      store = createSessionStore({ adapter });
    });
    afterAll(async () => {
      await crew.dismiss();
      await database.drop();
    });

    async function stored(count: number, fields: Partial<Session> = {}): Promise<string[]> {
      const sessions = Array.from({ length: count }, () => aSession(fields));
      await Promise.all(sessions.map((session) => adapter.insert(session)));
      return idsOf(sessions);
    }

    it('initialise an empty database concurrently', async () => {
      const outcomes = await crew.all((worker) => [
        ['create', { id: `first-${worker}`, userId: 'first' }],
      ]);

      expect(errorsOf(outcomes)).toEqual([]);
      expect(await store.find({ userId: 'first' })).toHaveLength(PROCESSES);
    });

    it('lose no attached surface', async () => {
      const [id] = await stored(1);

      const outcomes = await crew.all((worker) =>
        times(10, (index) => ['attachSurface', id, `surface-${worker}-${index}`]),
      );

      expect(errorsOf(outcomes)).toEqual([]);
      expect(new Set((await store.get(id ?? ''))?.attachedSurfaces).size).toBe(PROCESSES * 10);
    });

    it('lose no metadata key', async () => {
      const [id] = await stored(1);

      const outcomes = await crew.all((worker) =>
        times(10, (index) => ['updateMetadata', id, { [`key-${worker}-${index}`]: index }]),
      );

      expect(errorsOf(outcomes)).toEqual([]);
      expect(Object.keys((await store.get(id ?? ''))?.metadata ?? {})).toHaveLength(PROCESSES * 10);
    });

    it('never reactivate an expired session', async () => {
      const ids = await stored(20, { state: 'active', lastActivityAt: ago(2 * HOUR) });

      await crew.all((worker) => {
        if (worker === 0) return ids.map((id): Step => ['expire', id]);
        if (worker === 1) return times(20, () => ['sweepStale', HOUR]);
        return ids.map((id): Step => ['touch', id]);
      });

      const states = await Promise.all(ids.map(async (id) => (await store.get(id))?.state));
      expect(new Set(states)).toEqual(new Set(['expired']));
      const late = await crew.one(
        0,
        ids.map((id): Step => ['touch', id]),
      );
      expect(new Set(errorsOf([late]))).toEqual(new Set(['SessionStateError']));
    });

    it('never suspend a session touched during a sweep', async () => {
      const ids = await stored(60, { state: 'active', lastActivityAt: ago(2 * HOUR) });

      const outcomes = await crew.all((worker) =>
        worker < 2 ? times(10, () => ['sweepStale', HOUR]) : ids.map((id): Step => ['touch', id]),
      );

      expect(errorsOf(outcomes)).toEqual([]);
      const states = await Promise.all(ids.map(async (id) => (await store.get(id))?.state));
      expect(new Set(states)).toEqual(new Set(['active']));
    });

    it('report every swept session exactly once', async () => {
      const ids = await stored(80, { state: 'active', lastActivityAt: ago(2 * HOUR) });

      const outcomes = await crew.all(() => [['sweepStale', HOUR]]);

      const swept = valuesOf<Session[]>(outcomes).flatMap(idsOf);
      expect(swept.sort()).toEqual(ids.sort());
    });

    it('create each id once', async () => {
      const outcomes = await crew.all((worker) =>
        times(10, (index) => ['create', { id: `once-${index}`, userId: `by-${worker}` }]),
      );

      expect(valuesOf<Session>(outcomes)).toHaveLength(10);
      expect(errorsOf(outcomes)).toEqual(
        Array.from({ length: (PROCESSES - 1) * 10 }, () => 'SessionConflictError'),
      );
    });

    it('create one session for the concurrent first messages of a user', async () => {
      const users = Array.from({ length: 5 }, () => crypto.randomUUID());

      const outcomes = await crew.all(() =>
        users.map(
          (userId): Step => ['resolveSession', { userId, surfaceId: 'web', workspaceId: 'w' }],
        ),
      );

      expect(errorsOf(outcomes)).toEqual([]);
      const found = await Promise.all(users.map((userId) => store.find({ userId })));
      expect(found.map((sessions) => sessions.length)).toEqual(users.map(() => 1));
    });

    it('attach an exclusive surface to one session', async () => {
      const ids = await stored(PROCESSES);

      const outcomes = await crew.all(
        (worker) => times(3, () => ['attachSurface', ids[worker], 'only-one']),
        { surfaceSlots: 'exclusive' },
      );

      expect(errorsOf(outcomes)).toEqual([]);
      expect(await store.find({ surfaceId: 'only-one' })).toHaveLength(1);
    });

    it('leave no partial writes when one of them is killed', async () => {
      const [id = ''] = await stored(1, { userId: 'killed' });
      const steps = times(5000, (index) => [
        index % 2 === 0 ? 'attachSurface' : 'detachSurface',
        id,
        'torn',
      ]);
      const abandoned = crew.one(PROCESSES - 1, steps);
      await crew.one(0, [['attachSurface', id, 'before']]);

      await Promise.all([expect(abandoned).rejects.toThrow('ended'), crew.kill(PROCESSES - 1)]);

      const session = await store.get(id);
      const expected = session?.attachedSurfaces.includes('torn') ? [session] : [];
      expect(await store.find({ surfaceId: 'torn' })).toEqual(expected);
      expect((await store.attachSurface(id, 'after')).attachedSurfaces).toContain('after');
    });
  });
}

function times(count: number, step: (index: number) => Step): Step[] {
  return Array.from({ length: count }, (_unused, index) => step(index));
}

function errorsOf(outcomes: readonly Outcome[][]): string[] {
  return outcomes.flat().flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
}

function valuesOf<Value>(outcomes: readonly Outcome[][]): Value[] {
  return outcomes.flat().flatMap((outcome) => ('value' in outcome ? [outcome.value as Value] : []));
}
