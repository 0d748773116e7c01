import {
  type AtomicSessionStore,
  createSessionStore,
  defaultAffinityResolver,
  resolveSession,
  type Session,
  SessionConflictError,
  SessionInputError,
  SessionNotFoundError,
  SessionStateError,
  SurfaceLimitError,
} from '@robota-sdk/agent-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClosableAdapter, TestDatabase } from '../databases/test-database.ts';
import { ago, aSession, idsOf } from './sessions.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HOUR = 3_600_000;

/** The contract of the store over every adapter: all state transitions. */
export function describeSessionStore(name: string, create: () => TestDatabase): void {
  describe(`session store over ${name}`, () => {
    let database: TestDatabase;
    let adapter: ClosableAdapter;
    let store: AtomicSessionStore;

    beforeAll(() => {
      database = create();
      adapter = database.connect();
      store = createSessionStore({ adapter });
    });
    afterAll(() => database.drop());

    async function stored(fields: Partial<Session> = {}): Promise<Session> {
      const session = aSession({ createdAt: ago(2000), ...fields });
      await adapter.insert(session);
      return session;
    }

    it('creates a session in the state created', async () => {
      const id = crypto.randomUUID();

      const session = await store.create({
        id,
        userId: 'ada',
        workspaceId: 'w',
        initialSurfaceId: 'web',
        metadata: { plan: 'pro' },
      });

      expect(session).toEqual({
        id,
        userId: 'ada',
        workspaceId: 'w',
        state: 'created',
        createdAt: expect.stringMatching(ISO),
        lastActivityAt: session.createdAt,
        attachedSurfaces: ['web'],
        metadata: { plan: 'pro' },
      });
      expect(await store.get(id)).toEqual(session);
    });

    it.each(['created', 'active', 'suspended', 'expired'] as const)(
      'refuses to create an id that exists as %s',
      async (state) => {
        const { id } = await stored({ state });

        await expect(store.create({ id, userId: 'eve' })).rejects.toThrow(
          new SessionConflictError(id),
        );
      },
    );

    it('returns null for an unknown id', async () => {
      expect(await store.get('unknown')).toBeNull();
    });

    it.each(['created', 'suspended'] as const)('touch makes a %s session active', async (state) => {
      const before = await stored({ state });

      const touched = await store.touch(before.id);

      expect(touched).toEqual({
        ...before,
        state: 'active',
        lastActivityAt: touched.stateChangedAt,
        stateChangedAt: expect.stringMatching(ISO),
      });
      expect(touched.lastActivityAt > before.lastActivityAt).toBe(true);
      expect(await store.get(before.id)).toEqual(touched);
    });

    it('touch changes only the activity of an active session', async () => {
      const before = await stored({ state: 'active', stateChangedAt: ago(1500) });

      const touched = await store.touch(before.id);

      expect(touched).toEqual({ ...before, lastActivityAt: expect.stringMatching(ISO) });
      expect(touched.lastActivityAt > before.lastActivityAt).toBe(true);
    });

    it('touch never moves the activity back in time', async () => {
      const ahead = ago(-HOUR);
      const { id } = await stored({ state: 'active', lastActivityAt: ahead });

      expect((await store.touch(id)).lastActivityAt).toBe(ahead);
    });

    it('touch rejects an expired session', async () => {
      const before = await stored({ state: 'expired', stateChangedAt: ago(5) });

      await expect(store.touch(before.id)).rejects.toThrow(
        new SessionStateError(before.id, 'expired', 'touch'),
      );

      expect(await store.get(before.id)).toEqual(before);
    });

    it.each(['created', 'active', 'suspended', 'expired'] as const)(
      'attaches and detaches surfaces of a %s session, twice without effect',
      async (state) => {
        const before = await stored({ state });
        await store.attachSurface(before.id, 'web');
        await store.attachSurface(before.id, 'slack');

        const attached = await store.attachSurface(before.id, 'web');
        await store.detachSurface(before.id, 'web');
        const detached = await store.detachSurface(before.id, 'web');

        expect(attached).toEqual({ ...before, attachedSurfaces: ['web', 'slack'] });
        expect(detached).toEqual({ ...before, attachedSurfaces: ['slack'] });
        expect(await store.get(before.id)).toEqual(detached);
      },
    );

    it.each(['created', 'active', 'suspended'] as const)(
      'expires a %s session for good',
      async (state) => {
        const before = await stored({ state });

        const expired = await store.expire(before.id);
        const again = await store.expire(before.id);

        expect(expired).toEqual({
          ...before,
          state: 'expired',
          stateChangedAt: expect.stringMatching(ISO),
        });
        expect(again).toEqual(expired);
      },
    );

    it.each(['created', 'active', 'suspended', 'expired'] as const)(
      'merges metadata of a %s session one level deep',
      async (state) => {
        const before = await stored({
          state,
          metadata: { kept: 1, replaced: { old: true }, gone: 1 },
        });

        const merged = await store.updateMetadata(before.id, {
          replaced: { new: true },
          gone: undefined,
        });

        expect(merged).toEqual({ ...before, metadata: { kept: 1, replaced: { new: true } } });
        expect('gone' in merged.metadata).toBe(false);
        expect(await store.get(before.id)).toEqual(merged);
      },
    );

    it.each([
      ['touch', (id: string) => store.touch(id)],
      ['attachSurface', (id: string) => store.attachSurface(id, 'web')],
      ['detachSurface', (id: string) => store.detachSurface(id, 'web')],
      ['expire', (id: string) => store.expire(id)],
      ['updateMetadata', (id: string) => store.updateMetadata(id, {})],
      ['purge', (id: string) => store.purge(id)],
    ])('%s rejects an unknown id', async (_method, call) => {
      await expect(call('unknown')).rejects.toThrow(new SessionNotFoundError('unknown'));
    });

    it('sweeps only active sessions idle for longer than the TTL', async () => {
      const age = { lastActivityAt: ago(HOUR + 60_000) };
      const stale = await stored({ state: 'active', ...age });
      const fresh = await stored({ state: 'active', lastActivityAt: ago(HOUR - 60_000) });
      const untouched = await Promise.all(
        (['created', 'suspended', 'expired'] as const).map((state) => stored({ state, ...age })),
      );

      const swept = await store.sweepStale(HOUR);

      const expected = { ...stale, state: 'suspended', stateChangedAt: expect.stringMatching(ISO) };
      expect(swept).toEqual([expected]);
      expect(await store.get(stale.id)).toEqual(swept[0]);
      for (const session of [fresh, ...untouched])
        expect(await store.get(session.id)).toEqual(session);
      expect(await store.sweepStale(HOUR)).toEqual([]);
    });

    it('sweeps more sessions than one page, with the default TTL', async () => {
      const ids = Array.from({ length: 620 }, (_unused, index) => `swept-${index}`);
      const lastActivityAt = ago(HOUR + 1000);
      await Promise.all(ids.map((id) => stored({ id, state: 'active', lastActivityAt })));

      const swept = await store.sweepStale();

      expect(idsOf(swept).sort()).toEqual([...ids].sort());
    });

    it('expires sessions suspended for longer than suspendedTtlMs', async () => {
      const patient = createSessionStore({ adapter, suspendedTtlMs: HOUR });
      const lastActivityAt = ago(3 * HOUR);
      const forgotten = await stored({
        state: 'suspended',
        lastActivityAt,
        stateChangedAt: ago(HOUR + 1000),
      });
      const resting = await stored({
        state: 'suspended',
        lastActivityAt,
        stateChangedAt: ago(HOUR - 60_000),
      });

      const swept = await patient.sweepStale(100 * HOUR);

      expect(idsOf(swept)).toContain(forgotten.id);
      expect((await store.get(forgotten.id))?.state).toBe('expired');
      expect((await store.get(resting.id))?.state).toBe('suspended');
    });

    it('suspends idle sessions on read if staleOnRead is set', async () => {
      const marking = createSessionStore({ adapter, staleOnRead: true });
      const fields = { userId: 'read', state: 'active' as const, lastActivityAt: ago(2 * HOUR) };
      const [got, found] = [await stored(fields), await stored(fields)];
      const fresh = await stored({ ...fields, lastActivityAt: ago(1000) });

      expect((await marking.get(got.id))?.state).toBe('suspended');
      expect(idsOf(await marking.find({ userId: 'read', state: 'active' }))).toEqual([fresh.id]);
      expect((await store.get(found.id))?.state).toBe('suspended');
    });

    it('does not suspend idle sessions on read by default', async () => {
      const silent = await stored({
        userId: 'unread',
        state: 'active',
        lastActivityAt: ago(2 * HOUR),
      });

      expect(await store.get(silent.id)).toEqual(silent);
      expect(await store.find({ userId: 'unread' })).toEqual([silent]);
      await store.expire(silent.id);
    });

    it('moves an exclusive surface to the session that attaches it', async () => {
      const exclusive = createSessionStore({ adapter, surfaceSlots: 'exclusive' });
      const [first, second] = [await stored(), await stored()];
      await exclusive.attachSurface(first.id, 'slot');

      await exclusive.attachSurface(second.id, 'slot');
      const third = await exclusive.create({
        id: crypto.randomUUID(),
        userId: 'ada',
        initialSurfaceId: 'slot',
      });

      expect(idsOf(await store.find({ surfaceId: 'slot' }))).toEqual([third.id]);
      expect((await store.get(first.id))?.attachedSurfaces).toEqual([]);
    });

    it('leaves an exclusive surface attached when the new session cannot take it', async () => {
      const exclusive = createSessionStore({ adapter, surfaceSlots: 'exclusive', maxSurfaces: 1 });
      const holder = await stored({ attachedSurfaces: ['held'] });
      const full = await stored({ attachedSurfaces: ['full'] });

      await expect(exclusive.attachSurface('unknown', 'held')).rejects.toThrow(
        SessionNotFoundError,
      );
      await expect(exclusive.attachSurface(full.id, 'held')).rejects.toThrow(
        new SurfaceLimitError(full.id, 1),
      );
      await expect(
        exclusive.create({ id: full.id, userId: 'ada', initialSurfaceId: 'held' }),
      ).rejects.toThrow(SessionConflictError);

      expect(await store.get(holder.id)).toEqual(holder);
    });

    it('purges only expired sessions', async () => {
      const session = await stored({ state: 'active' });

      await expect(store.purge(session.id)).rejects.toThrow(
        new SessionStateError(session.id, 'active', 'purge'),
      );
      await store.expire(session.id);
      await store.purge(session.id);

      expect(await store.get(session.id)).toBeNull();
    });

    it('creates one session for concurrent first messages on two surfaces', async () => {
      const userId = crypto.randomUUID();
      const resolver = defaultAffinityResolver(store);
      const resolve = (surfaceId: string): Promise<Session> =>
        resolveSession({ userId, surfaceId }, store, resolver);

      const resolved = await Promise.all(['web', 'slack', 'web'].map(resolve));

      const [session, ...others] = await store.find({ userId });
      expect(others).toEqual([]);
      expect(idsOf(resolved)).toEqual([session?.id, session?.id, session?.id]);
      expect(session?.attachedSurfaces.toSorted()).toEqual(['slack', 'web']);
    });

    it('continues the most recent session, preferring one on the same surface', async () => {
      const userId = crypto.randomUUID();
      const onWeb = await stored({
        userId,
        state: 'suspended',
        lastActivityAt: ago(9000),
        attachedSurfaces: ['web'],
      });
      const newest = await stored({ userId, state: 'active', lastActivityAt: ago(5000) });
      await stored({ userId, state: 'expired', lastActivityAt: ago(1) });
      await stored({ userId, state: 'created', lastActivityAt: ago(1) });
      const resolver = defaultAffinityResolver(store);

      expect(await resolver.resolve(userId, 'web')).toEqual(onWeb);
      expect(await resolver.resolve(userId, 'slack')).toEqual(newest);
      expect(await resolver.resolve(userId)).toEqual(newest);
      expect(await resolver.resolve('')).toBeNull();
    });

    it.each([
      ['a function', { call: () => 1 }],
      ['a date', { at: new Date(0) }],
      ['a big number', { big: 1n }],
      ['not a number', { deep: [{ count: Number.NaN }] }],
      ['a map', { map: new Map() }],
    ])('rejects metadata with %s and writes nothing', async (_kind, metadata) => {
      const session = await stored({ metadata: { kept: 1 } });
      const id = crypto.randomUUID();

      await expect(store.updateMetadata(session.id, metadata)).rejects.toThrow(SessionInputError);
      await expect(store.create({ id, userId: 'ada', metadata })).rejects.toThrow(
        SessionInputError,
      );

      expect(await store.get(session.id)).toEqual(session);
      expect(await store.get(id)).toBeNull();
    });
  });
}
