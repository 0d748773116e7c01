import {
  SessionConflictError,
  SessionInputError,
  SessionNotFoundError,
  type SessionState,
} from '@robota-sdk/agent-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClosableAdapter, TestDatabase } from '../databases/test-database.ts';
import { ago, aSession, idsOf } from './sessions.ts';

/** The contract of every adapter. */
export function describeSessionStoreAdapter(name: string, create: () => TestDatabase): void {
  describe(`${name} adapter`, () => {
    let database: TestDatabase;
    let adapter: ClosableAdapter;

    beforeAll(() => {
      database = create();
      adapter = database.connect();
    });
    afterAll(() => database.drop());

    it('returns exactly what was inserted', async () => {
      const session = aSession({
        workspaceId: 'w',
        state: 'suspended',
        stateChangedAt: ago(5),
        attachedSurfaces: ['web', 'slack'],
        metadata: { nested: { list: [1, null, 'é\u0000'] }, ['__proto__']: 1 },
        metadataVersion: 2,
      });

      await adapter.insert(session);

      expect(await adapter.fetchById(session.id)).toEqual(session);
    });

    it('returns null for an unknown id', async () => {
      expect(await adapter.fetchById('unknown')).toBeNull();
    });

    it('rejects a duplicate id and keeps the first session', async () => {
      const first = aSession({ metadata: { order: 1 } });
      await adapter.insert(first);

      await expect(adapter.insert({ ...first, metadata: { order: 2 } })).rejects.toThrow(
        new SessionConflictError(first.id),
      );

      expect(await adapter.fetchById(first.id)).toEqual(first);
    });

    it('shares no object with its callers', async () => {
      const session = aSession({ metadata: { tags: ['a'] } });
      await adapter.insert(session);
      const before = structuredClone(session);

      session.attachedSurfaces.push('mine');
      const fetched = await adapter.fetchById(session.id);
      fetched?.attachedSurfaces.push('yours');

      expect(await adapter.fetchById(session.id)).toEqual(before);
    });

    it('merges a patch field by field and updates the indexes', async () => {
      const session = aSession({ userId: 'patched', attachedSurfaces: ['patched-a'] });
      await adapter.insert(session);
      const patch = {
        state: 'active' as const,
        lastActivityAt: ago(0),
        attachedSurfaces: ['patched-b'],
      };

      const updated = await adapter.update(session.id, patch);

      expect(updated).toEqual({ ...session, ...patch });
      expect(await adapter.fetchMany({ surfaceId: 'patched-a' })).toEqual([]);
      expect(await adapter.fetchMany({ surfaceId: 'patched-b', state: 'active' })).toEqual([
        updated,
      ]);
      expect(await adapter.fetchMany({ userId: 'patched', state: 'created' })).toEqual([]);
    });

    it('never changes id, user or creation time through a patch', async () => {
      const session = aSession();
      await adapter.insert(session);

      await adapter.update(session.id, {
        id: 'x',
        userId: 'eve',
        createdAt: ago(9),
        state: 'active',
      });

      expect(await adapter.fetchById(session.id)).toEqual({ ...session, state: 'active' });
      expect(await adapter.fetchById('x')).toBeNull();
    });

    it('rejects an update of an unknown id', async () => {
      await expect(adapter.update('unknown', {})).rejects.toThrow(
        new SessionNotFoundError('unknown'),
      );
    });

    it('deletes a session with its index entries, and does nothing for an unknown id', async () => {
      const session = aSession({ userId: 'deleted', attachedSurfaces: ['deleted-surface'] });
      await adapter.insert(session);

      await adapter.delete(session.id);
      await adapter.delete(session.id);

      expect(await adapter.fetchById(session.id)).toBeNull();
      expect(await adapter.fetchMany({ userId: 'deleted' })).toEqual([]);
      expect(await adapter.fetchMany({ surfaceId: 'deleted-surface' })).toEqual([]);
    });

    it.each([
      ['', 'empty'],
      ['a:b:c', 'colons'],
      ['nul\0inside', 'a NUL'],
      ['lone \uD800 surrogate', 'a lone surrogate'],
      ['\u{F8FF}"marked"', 'the escape mark'],
      ["'; DROP TABLE robota_sessions; --", 'quotes'],
      ['long '.repeat(2000), 'ten thousand characters'],
      ['*?[x]{y}', 'pattern characters'],
    ])('accepts %j as id, user, workspace and surface (%s)', async (text) => {
      const session = aSession({
        id: `id${text}`,
        userId: text,
        workspaceId: text,
        attachedSurfaces: [text],
      });

      await adapter.insert(session);

      expect(await adapter.fetchById(`id${text}`)).toEqual(session);
      expect(await adapter.fetchMany({ userId: text, workspaceId: text, surfaceId: text })).toEqual(
        [session],
      );
      expect(await adapter.fetchMany({ surfaceId: text })).toEqual([session]);
    });

    it('distinguishes texts that differ only in characters a database cannot store', async () => {
      await adapter.insert(aSession({ userId: 'twin\uD800' }));

      expect(await adapter.fetchMany({ userId: 'twin\uDBFF' })).toEqual([]);
      expect(await adapter.fetchMany({ userId: 'twin\uFFFD' })).toEqual([]);
    });

    it('rejects a session with invalid times and stores nothing', async () => {
      const session = aSession({ lastActivityAt: 'yesterday' });

      await expect(adapter.insert(session)).rejects.toThrow(SessionInputError);

      expect(await adapter.fetchById(session.id)).toBeNull();
    });

    describe('fetchMany', () => {
      const user = 'finder';
      const states: SessionState[] = ['created', 'active', 'suspended', 'expired'];
      const sessions = Array.from({ length: 60 }, (_unused, index) =>
        aSession({
          id: `find-${String(index).padStart(2, '0')}`,
          userId: user,
          state: states[index % 4] ?? 'created',
          createdAt: '2026-01-01T00:00:00.000Z',
          lastActivityAt: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(index / 3))).toISOString(),
          attachedSurfaces: index % 5 === 0 ? ['find-web', `find-${index}`] : [],
          ...(index % 2 === 0 ? { workspaceId: 'find-even' } : {}),
        }),
      );
      /** Newest first; the three within a minute by id. */
      const ordered = [...sessions].sort(
        (left, right) =>
          right.lastActivityAt.localeCompare(left.lastActivityAt) ||
          left.id.localeCompare(right.id),
      );

      beforeAll(async () => {
        for (const session of sessions) await adapter.insert(session);
      });

      it('returns the newest 50 by default', async () => {
        expect(idsOf(await adapter.fetchMany({ userId: user }))).toEqual(
          idsOf(ordered).slice(0, 50),
        );
      });

      it.each([0, 1, 7, 60, Number.MAX_SAFE_INTEGER])('returns at most %i', async (limit) => {
        const found = await adapter.fetchMany({ userId: user, limit });

        expect(idsOf(found)).toEqual(idsOf(ordered).slice(0, limit));
      });

      it.each([-1, 1.5, Number.NaN])('rejects the limit %d', async (limit) => {
        await expect(adapter.fetchMany({ userId: user, limit })).rejects.toThrow(SessionInputError);
      });

      it.each(states)('filters by the state %s', async (state) => {
        const found = await adapter.fetchMany({ userId: user, state });

        expect(found).toEqual(ordered.filter((session) => session.state === state));
      });

      it('filters by several states and sorts across them', async () => {
        const found = await adapter.fetchMany({
          userId: user,
          state: ['expired', 'active'],
          limit: 9,
        });

        const expected = ordered.filter(({ state }) => state === 'active' || state === 'expired');
        expect(found).toEqual(expected.slice(0, 9));
      });

      it('returns nothing for an empty list of states', async () => {
        expect(await adapter.fetchMany({ userId: user, state: [] })).toEqual([]);
      });

      it('rejects an unknown state', async () => {
        const state = 'sleeping' as SessionState;

        await expect(adapter.fetchMany({ state })).rejects.toThrow(SessionInputError);
      });

      it('filters by surface alone', async () => {
        const found = await adapter.fetchMany({ surfaceId: 'find-web' });

        expect(found).toEqual(
          ordered.filter(({ attachedSurfaces }) => attachedSurfaces.length > 0),
        );
      });

      it('filters by workspace alone', async () => {
        const found = await adapter.fetchMany({ workspaceId: 'find-even', limit: 100 });

        expect(found).toEqual(ordered.filter(({ workspaceId }) => workspaceId === 'find-even'));
      });

      it('combines all filters', async () => {
        const found = await adapter.fetchMany({
          userId: user,
          workspaceId: 'find-even',
          surfaceId: 'find-web',
          state: ['created', 'suspended'],
          activeAfter: '2026-01-01T00:02:00Z',
          activeBefore: '2026-01-01T01:18:00+01:00',
          limit: 3,
        });

        const minute = (index: number): number => Math.floor(index / 3);
        const expected = ordered.filter((session) => {
          const index = Number(session.id.slice(5));
          return (
            index % 10 === 0 &&
            index % 4 !== 1 &&
            index % 4 !== 3 &&
            minute(index) > 2 &&
            minute(index) < 18
          );
        });
        expect(found).toEqual(expected.slice(0, 3));
      });

      it('excludes the instant of activeAfter itself', async () => {
        const found = await adapter.fetchMany({
          userId: user,
          activeAfter: '2026-01-01T01:18:00+01:00',
        });

        expect(idsOf(found)).toEqual(['find-57', 'find-58', 'find-59']);
      });

      it('rejects an activeAfter that is not a time', async () => {
        await expect(adapter.fetchMany({ activeAfter: '' })).rejects.toThrow(SessionInputError);
        await expect(adapter.fetchMany({ activeAfter: 'soon' })).rejects.toThrow(SessionInputError);
      });

      it('treats an empty user id as a user, not as a wildcard', async () => {
        const found = await adapter.fetchMany({ userId: '', limit: 1000 });

        expect(found.filter((session) => session.userId !== '')).toEqual([]);
      });

      it('sorts sessions with equal activity by creation, newest first', async () => {
        const lastActivityAt = '2026-02-01T00:00:00.000Z';
        const early = aSession({
          userId: 'tied',
          createdAt: '2026-01-01T00:00:00.000Z',
          lastActivityAt,
        });
        const late = aSession({
          userId: 'tied',
          createdAt: '2026-01-02T00:00:00.000Z',
          lastActivityAt,
        });
        const active = aSession({ ...early, id: 'tied-active', state: 'active' });
        for (const session of [early, late, active]) await adapter.insert(session);

        const [first, ...rest] = await adapter.fetchMany({ userId: 'tied' });

        expect(first).toEqual(late);
        expect(idsOf(rest)).toEqual([early.id, active.id].sort());
      });

      it('finds times before 1970', async () => {
        const old = aSession({ userId: 'old', createdAt: '1960-01-01T00:00:00.000Z' });
        await adapter.insert(old);

        expect(await adapter.fetchMany({ userId: 'old', activeAfter: '1950-01-01' })).toEqual([
          old,
        ]);
      });
    });

    describe('fetchStale', () => {
      it('finds active sessions by last activity and suspended ones by time of suspension', async () => {
        const [longAgo, midway, recently] = ['1990-01-01', '1990-02-01', '1990-03-01'].map((day) =>
          new Date(day).toISOString(),
        ) as [string, string, string];
        const silent = aSession({ state: 'active', lastActivityAt: longAgo });
        const lively = aSession({ state: 'active', lastActivityAt: midway });
        const forgotten = aSession({
          state: 'suspended',
          lastActivityAt: longAgo,
          stateChangedAt: longAgo,
        });
        const resting = aSession({
          state: 'suspended',
          lastActivityAt: longAgo,
          stateChangedAt: recently,
        });
        const ended = aSession({
          state: 'expired',
          lastActivityAt: longAgo,
          stateChangedAt: longAgo,
        });
        for (const session of [silent, lively, forgotten, resting, ended])
          await adapter.insert(session);

        const active = await adapter.fetchStale({ state: 'active', before: midway, limit: 10 });
        const suspended = await adapter.fetchStale({
          state: 'suspended',
          before: midway,
          limit: 10,
        });

        expect(active).toEqual([silent]);
        expect(suspended).toEqual([forgotten]);
        expect(await adapter.fetchStale({ state: 'active', before: midway, limit: 0 })).toEqual([]);
      });
    });

    describe('mutate', () => {
      it('stores the result of the change', async () => {
        const session = aSession();
        await adapter.insert(session);

        const changed = await adapter.mutate(session.id, (current) => ({
          ...current,
          metadata: { a: 1 },
        }));

        expect(changed).toEqual({ ...session, metadata: { a: 1 } });
        expect(await adapter.fetchById(session.id)).toEqual(changed);
      });

      it('stores nothing when the change returns undefined or throws', async () => {
        const session = aSession();
        await adapter.insert(session);

        const unchanged = await adapter.mutate(session.id, () => undefined);
        const failing = adapter.mutate(session.id, () => {
          throw new RangeError('no');
        });

        await expect(failing).rejects.toThrow(new RangeError('no'));
        expect(unchanged).toEqual(session);
        expect(await adapter.fetchById(session.id)).toEqual(session);
      });

      it('rejects an unknown id', async () => {
        const change = adapter.mutate('unknown', (current) => current);

        await expect(change).rejects.toThrow(new SessionNotFoundError('unknown'));
      });

      it('loses none of fifty concurrent changes over two connections', async () => {
        const session = aSession();
        await adapter.insert(session);
        const other = database.connect();
        const changes = Array.from({ length: 50 }, (_unused, index) =>
          (index % 2 === 0 ? adapter : other).mutate(session.id, (current) => ({
            ...current,
            metadata: { count: Number(current.metadata.count ?? 0) + 1 },
          })),
        );

        await Promise.all(changes);

        expect((await adapter.fetchById(session.id))?.metadata).toEqual({ count: 50 });
      });
    });

    describe('serialize', () => {
      it('runs one callback per key at a time, over two connections', async () => {
        const other = database.connect();
        let inside = 0;
        let most = 0;
        const work = async (): Promise<void> => {
          most = Math.max(most, ++inside);
          await adapter.fetchById('anything');
          inside--;
        };

        const turns = Array.from({ length: 12 }, (_unused, index) =>
          (index % 2 === 0 ? adapter : other).serialize('one key', work),
        );
        await Promise.all(turns);

        expect(most).toBe(1);
      });

      it('runs different keys concurrently', async () => {
        const result = await adapter.serialize('outer', () =>
          adapter.serialize('inner', async () => 'both'),
        );

        expect(result).toBe('both');
      });

      it('propagates a failure and releases the key', async () => {
        const failing = adapter.serialize('failing', async () => {
          throw new RangeError('no');
        });
        await expect(failing).rejects.toThrow(new RangeError('no'));

        expect(await adapter.serialize('failing', async () => 'next')).toBe('next');
      });
    });
  });
}
