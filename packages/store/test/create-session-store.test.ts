import {
  createSessionStore,
  InMemorySessionStoreAdapter,
  type MetadataLayout,
  SessionConflictError,
  SessionInputError,
  SurfaceLimitError,
} from '@robota-sdk/agent-store';
import { describe, expect, it } from 'vitest';
import { ago, aSession, idsOf } from './contract/sessions.ts';
import { FiveMethodAdapter } from './five-method-adapter.ts';

const HOUR = 3_600_000;

describe('a store over a five-method adapter', () => {
  it('loses neither surfaces nor metadata keys under concurrent calls', async () => {
    const store = createSessionStore({ adapter: new FiveMethodAdapter() });
    await store.create({ id: 's', userId: 'ada' });

    await Promise.all([
      ...['a', 'b', 'c'].map((surface) => store.attachSurface('s', surface)),
      ...['x', 'y', 'z'].map((key) => store.updateMetadata('s', { [key]: 1 })),
    ]);

    expect(await store.get('s')).toMatchObject({
      attachedSurfaces: ['a', 'b', 'c'],
      metadata: { x: 1, y: 1, z: 1 },
    });
  });

  it('serialises two stores over the same adapter', async () => {
    const adapter = new FiveMethodAdapter();
    const [one, other] = [createSessionStore({ adapter }), createSessionStore({ adapter })];
    await one.create({ id: 's', userId: 'ada' });

    const results = await Promise.allSettled([
      one.attachSurface('s', 'a'),
      other.attachSurface('s', 'b'),
      other.create({ id: 's', userId: 'eve' }),
    ]);

    expect((await one.get('s'))?.attachedSurfaces).toEqual(['a', 'b']);
    expect(results[2]).toMatchObject({ status: 'rejected', reason: new SessionConflictError('s') });
  });

  it.each([
    ['expire first', ['expire', 'touch']],
    ['touch first', ['touch', 'expire']],
  ] as const)('expire wins against a concurrent touch: %s', async (_order, methods) => {
    const store = createSessionStore({ adapter: new FiveMethodAdapter() });
    await store.create({ id: 's', userId: 'ada' });

    await Promise.allSettled(methods.map((method) => store[method]('s')));

    expect((await store.get('s'))?.state).toBe('expired');
  });

  it.each([
    ['touch', 'active'],
    ['expire', 'expired'],
  ] as const)('a sweep does not undo a concurrent %s', async (method, state) => {
    const adapter = new FiveMethodAdapter();
    const store = createSessionStore({ adapter });
    await adapter.insert(aSession({ id: 's', state: 'active', lastActivityAt: ago(2 * HOUR) }));

    const [swept] = await Promise.all([store.sweepStale(HOUR), store[method]('s')]);

    expect(swept).toEqual([]);
    expect((await store.get('s'))?.state).toBe(state);
  });

  it('sorts before it applies the limit, although the adapter does neither', async () => {
    const adapter = new FiveMethodAdapter();
    const store = createSessionStore({ adapter });
    for (let index = 0; index < 60; index++) {
      await adapter.insert(
        aSession({ id: `s${index}`, lastActivityAt: ago(100_000 - index * 1000) }),
      );
    }

    const newest = await store.find({ userId: 'ada', limit: 2 });

    expect(idsOf(newest)).toEqual(['s59', 's58']);
    expect(await store.find({})).toHaveLength(50);
  });

  it('sweeps every stale session, although the adapter does not sort', async () => {
    const adapter = new FiveMethodAdapter();
    const store = createSessionStore({ adapter, suspendedTtlMs: HOUR });
    const lastActivityAt = ago(2 * HOUR);
    for (let index = 0; index < 60; index++)
      await adapter.insert(aSession({ state: 'active', lastActivityAt }));
    await adapter.insert(
      aSession({ id: 'old', state: 'suspended', lastActivityAt, stateChangedAt: lastActivityAt }),
    );

    const swept = await store.sweepStale(HOUR);

    expect(swept.filter((session) => session.state === 'suspended')).toHaveLength(60);
    expect((await store.get('old'))?.state).toBe('expired');
  });

  it('updates only the changed fields', async () => {
    const adapter = new FiveMethodAdapter();
    const store = createSessionStore({ adapter });
    await store.create({ id: 's', userId: 'ada' });

    await store.attachSurface('s', 'web');
    await store.attachSurface('s', 'web');

    expect(adapter.patches).toEqual([{ attachedSurfaces: ['web'] }]);
  });
});

describe('store configuration', () => {
  it('enforces the maximum number of surfaces', async () => {
    const store = createSessionStore({
      adapter: new InMemorySessionStoreAdapter(),
      maxSurfaces: 1,
    });
    await store.create({ id: 's', userId: 'ada', initialSurfaceId: 'web' });

    await expect(store.attachSurface('s', 'slack')).rejects.toThrow(new SurfaceLimitError('s', 1));

    expect((await store.attachSurface('s', 'web')).attachedSurfaces).toEqual(['web']);
  });

  it('attaches nothing for an empty initial surface', async () => {
    const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });

    const session = await store.create({ id: 's', userId: 'ada', initialSurfaceId: '' });

    expect(session.attachedSurfaces).toEqual([]);
  });

  it('does not suspend a session idle for exactly the TTL', async () => {
    const adapter = new InMemorySessionStoreAdapter();
    const store = createSessionStore({ adapter });
    await adapter.insert(aSession({ state: 'active', lastActivityAt: ago(-1000) }));

    expect(await store.sweepStale(0)).toEqual([]);
    expect(await store.sweepStale(Number.POSITIVE_INFINITY)).toEqual([]);
  });

  it.each([
    ['defaultTtlMs', { defaultTtlMs: -1 }],
    ['suspendedTtlMs', { suspendedTtlMs: Number.NaN }],
    ['maxSurfaces', { maxSurfaces: 0 }],
    [
      'metadata.version',
      { metadata: { version: 0.5, migrate: (metadata: object) => ({ ...metadata }) } },
    ],
  ])('rejects an invalid %s', (field, options) => {
    const adapter = new InMemorySessionStoreAdapter();

    expect(() => createSessionStore({ adapter, ...options })).toThrow(
      expect.objectContaining({ name: 'SessionInputError', field }),
    );
  });

  it('rejects an invalid TTL and an id that is not a string', async () => {
    const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });

    await expect(store.sweepStale(-5)).rejects.toThrow(SessionInputError);
    await expect(store.get(7 as unknown as string)).rejects.toThrow(SessionInputError);
    await expect(store.create({ id: 's', userId: null as unknown as string })).rejects.toThrow(
      SessionInputError,
    );
  });

  it('treats __proto__ as an ordinary key', async () => {
    const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
    await store.create({ id: 's', userId: 'ada', metadata: { a: 1 } });

    const { metadata } = await store.updateMetadata(
      's',
      JSON.parse('{"__proto__":{"polluted":true}}'),
    );

    expect(JSON.stringify(metadata)).toBe('{"a":1,"__proto__":{"polluted":true}}');
    expect('polluted' in metadata).toBe(false);
  });

  it('rejects circular metadata', async () => {
    const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
    const circle: Record<string, unknown> = {};
    circle.self = { circle };

    await expect(store.create({ id: 's', userId: 'ada', metadata: circle })).rejects.toThrow(
      SessionInputError,
    );
  });
});

describe('a metadata layout', () => {
  const layout: MetadataLayout = {
    version: 2,
    migrate: ({ name, ...rest }, from) => ({ ...rest, fullName: name, migratedFrom: from }),
  };

  it('migrates older metadata on every read', async () => {
    const adapter = new InMemorySessionStoreAdapter();
    const old = aSession({ metadata: { name: 'Ada' } });
    await adapter.insert(old);
    const store = createSessionStore({ adapter, metadata: layout });

    const migrated = { ...old, metadataVersion: 2, metadata: { fullName: 'Ada', migratedFrom: 0 } };
    expect(await store.get(old.id)).toEqual(migrated);
    expect(await store.find({ userId: 'ada' })).toEqual([migrated]);
    expect(await adapter.fetchById(old.id)).toEqual(old);
  });

  it('is saved with the first change', async () => {
    const adapter = new InMemorySessionStoreAdapter();
    const old = aSession({ metadata: { name: 'Ada' }, metadataVersion: 1 });
    await adapter.insert(old);
    const store = createSessionStore({ adapter, metadata: layout });

    await store.updateMetadata(old.id, { extra: true });

    expect(await adapter.fetchById(old.id)).toMatchObject({
      metadataVersion: 2,
      metadata: { fullName: 'Ada', migratedFrom: 1, extra: true },
    });
  });

  it('does not change metadata of a newer release', async () => {
    const adapter = new InMemorySessionStoreAdapter();
    const newer = aSession({ metadata: { name: 'Ada' }, metadataVersion: 3 });
    await adapter.insert(newer);

    const store = createSessionStore({ adapter, metadata: layout });

    expect(await store.get(newer.id)).toEqual(newer);
  });

  it('is recorded on new sessions', async () => {
    const store = createSessionStore({
      adapter: new InMemorySessionStoreAdapter(),
      metadata: layout,
    });

    const session = await store.create({ id: 's', userId: 'ada', metadata: { fullName: 'Ada' } });

    expect(session).toMatchObject({ metadataVersion: 2, metadata: { fullName: 'Ada' } });
  });
});
