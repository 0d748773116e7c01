import {
  type AffinityResolver,
  createSessionStore,
  defaultAffinityResolver,
  InMemorySessionStoreAdapter,
  resolveSession,
  type Session,
  type SessionStore,
} from '@robota-sdk/agent-store';
import { describe, expect, it } from 'vitest';
import { ago, aSession, idsOf } from './contract/sessions.ts';

function aStore() {
  const adapter = new InMemorySessionStoreAdapter();
  return { adapter, store: createSessionStore({ adapter }) };
}

/** Always returns the same session, and records its calls. */
function answering(session: Session | null): AffinityResolver & { asked: unknown[][] } {
  const asked: unknown[][] = [];
  return {
    asked,
    async resolve(...args: unknown[]) {
      asked.push(args);
      return session;
    },
  };
}

describe('resolveSession', () => {
  it.each(['active', 'suspended'] as const)(
    'continues and touches a session that is %s',
    async (state) => {
      const { adapter, store } = aStore();
      const existing = aSession({ state, attachedSurfaces: ['web'] });
      await adapter.insert(existing);

      const session = await resolveSession(
        { userId: 'ada', surfaceId: 'slack' },
        store,
        defaultAffinityResolver(store),
      );

      expect(session).toMatchObject({
        id: existing.id,
        state: 'active',
        attachedSurfaces: ['web'],
      });
      expect(session.lastActivityAt > existing.lastActivityAt).toBe(true);
    },
  );

  it('creates a session on the surface of the message when there is none', async () => {
    const { store } = aStore();

    const session = await resolveSession(
      { userId: 'ada', workspaceId: 'w', surfaceId: 'web' },
      store,
      defaultAffinityResolver(store),
    );

    expect(session).toMatchObject({
      userId: 'ada',
      workspaceId: 'w',
      state: 'created',
      attachedSurfaces: ['web'],
    });
    expect(await store.get(session.id)).toEqual(session);
  });

  it('calls the resolver once, with the user and the surface', async () => {
    const { store } = aStore();
    const resolver = answering(null);

    await resolveSession({ userId: 'ada', surfaceId: 'web' }, store, resolver);

    expect(resolver.asked).toEqual([['ada', 'web']]);
  });

  it.each(['expired', 'deleted'])(
    'starts anew when the session it found has been %s since',
    async (fate) => {
      const { adapter, store } = aStore();
      const found = aSession({ state: 'expired' });
      if (fate === 'expired') await adapter.insert(found);

      const session = await resolveSession(
        { userId: 'ada', surfaceId: 'web' },
        store,
        answering(found),
      );

      expect(session.id).not.toBe(found.id);
      expect(session.state).toBe('created');
    },
  );

  it('continues an untouched session of an earlier message on the same surface', async () => {
    const { adapter, store } = aStore();
    const waiting = aSession({ attachedSurfaces: ['web'] });
    await adapter.insert(waiting);

    const session = await resolveSession(
      { userId: 'ada', surfaceId: 'web' },
      store,
      defaultAffinityResolver(store),
    );

    expect(session).toMatchObject({ id: waiting.id, state: 'active' });
  });

  it('continues a session whose first touch was committed after the resolver had looked', async () => {
    const { adapter, store } = aStore();
    const existing = aSession({ state: 'active', attachedSurfaces: ['web'] });
    await adapter.insert(existing);
    const beforeAndAfter = [null, existing];

    const session = await resolveSession({ userId: 'ada', surfaceId: 'web' }, store, {
      resolve: async () => beforeAndAfter.shift() ?? null,
    });

    expect(session.id).toBe(existing.id);
  });

  it('ignores untouched sessions of another surface, workspace or user', async () => {
    const { adapter, store } = aStore();
    const others = [
      aSession({ attachedSurfaces: ['slack'] }),
      aSession({ attachedSurfaces: ['web'], workspaceId: 'w' }),
      aSession({ attachedSurfaces: ['web'], userId: 'eve' }),
    ];
    for (const session of others) await adapter.insert(session);

    const session = await resolveSession(
      { userId: 'ada', surfaceId: 'web' },
      store,
      defaultAffinityResolver(store),
    );

    expect(idsOf(others)).not.toContain(session.id);
  });

  it('never puts two messages without a user into the same session', async () => {
    const { store } = aStore();
    const message = { userId: '', surfaceId: 'web' };
    const resolver = defaultAffinityResolver(store);

    const [one, other] = await Promise.all([
      resolveSession(message, store, resolver),
      resolveSession(message, store, resolver),
    ]);

    expect(one.id).not.toBe(other.id);
  });

  it('creates one session for concurrent first messages over a store without serialize', async () => {
    const { store } = aStore();
    const {
      create,
      get,
      find,
      touch,
      attachSurface,
      detachSurface,
      expire,
      sweepStale,
      updateMetadata,
    } = Object.fromEntries(
      Object.getOwnPropertyNames(Object.getPrototypeOf(store)).map((method) => [
        method,
        (...args: unknown[]) => Reflect.apply(Reflect.get(store, method), store, args),
      ]),
    ) as unknown as SessionStore;
    const foreign: SessionStore = {
      create,
      get,
      find,
      touch,
      attachSurface,
      detachSurface,
      expire,
      sweepStale,
      updateMetadata,
    };

    const resolved = await Promise.all(
      ['web', 'slack'].map((surfaceId) =>
        resolveSession({ userId: 'ada', surfaceId }, foreign, defaultAffinityResolver(foreign)),
      ),
    );

    expect(new Set(idsOf(resolved)).size).toBe(1);
  });

  it('ignores the session id of a message unless honorSessionId is set', async () => {
    const { adapter, store } = aStore();
    const named = aSession({ state: 'active', lastActivityAt: ago(9000) });
    const newest = aSession({ state: 'active', lastActivityAt: ago(1000) });
    for (const session of [named, newest]) await adapter.insert(session);
    const message = { userId: 'ada', surfaceId: 'web', sessionId: named.id };
    const resolver = defaultAffinityResolver(store);

    const ignored = await resolveSession(message, store, resolver);
    const honoured = await resolveSession(message, store, resolver, { honorSessionId: true });

    expect([ignored.id, honoured.id]).toEqual([newest.id, named.id]);
  });

  it("does not honour the id of another user's session", async () => {
    const { adapter, store } = aStore();
    const foreign = aSession({ userId: 'eve', state: 'active' });
    await adapter.insert(foreign);
    const message = { userId: 'ada', surfaceId: 'web', sessionId: foreign.id };

    const session = await resolveSession(message, store, answering(null), { honorSessionId: true });

    expect(session.id).not.toBe(foreign.id);
  });

  it('attaches the surface to a continued session if attachSurface is set', async () => {
    const { adapter, store } = aStore();
    await adapter.insert(aSession({ state: 'active', attachedSurfaces: ['web'] }));
    const message = { userId: 'ada', surfaceId: 'slack' };

    const session = await resolveSession(message, store, defaultAffinityResolver(store), {
      attachSurface: true,
    });

    expect(session.attachedSurfaces).toEqual(['web', 'slack']);
  });
});

describe('defaultAffinityResolver', () => {
  it('finds the newest among more sessions than one page', async () => {
    const { adapter, store } = aStore();
    for (let index = 0; index < 60; index++) {
      await adapter.insert(
        aSession({ id: `s${index}`, state: 'active', lastActivityAt: ago(90_000 - index) }),
      );
    }

    expect((await defaultAffinityResolver(store).resolve('ada'))?.id).toBe('s59');
  });

  it('searches only the given workspace', async () => {
    const { adapter, store } = aStore();
    const inside = aSession({ state: 'active', workspaceId: 'w', lastActivityAt: ago(5000) });
    await adapter.insert(inside);
    await adapter.insert(aSession({ state: 'active', lastActivityAt: ago(1) }));

    const resolver = defaultAffinityResolver(store, { workspaceId: 'w' });

    expect(await resolver.resolve('ada')).toEqual(inside);
  });
});
