import {
  createSessionStore,
  SessionConflictError,
  SessionStoreUnavailableError,
} from '@robota-sdk/agent-store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aSession } from '../contract/sessions.ts';
import { connect } from '../databases/connect.ts';
import type {
  ClosableAdapter,
  DatabaseAddress,
  SharedTestDatabase,
} from '../databases/test-database.ts';
import { FaultyLink } from './faulty-link.ts';

type ServerAddress = Exclude<DatabaseAddress, { kind: 'sqlite' }>;

export interface FaultyServer {
  readonly name: string;
  readonly url: string;
  readonly standardPort: number;
  create(): SharedTestDatabase;
}

/** Occurs in every write of a session, and in no other request. */
const WRITE = '"attachedSurfaces":';

/** The behaviour when the server goes down, hangs, or its response is lost. */
export function describeFaults({ name, url, standardPort, create }: FaultyServer): void {
  describe(`${name} behind a faulty link`, () => {
    let database: SharedTestDatabase;
    let direct: ClosableAdapter;
    let link: FaultyLink;
    let adapter: ClosableAdapter;

    beforeAll(() => {
      database = create();
      direct = database.connect();
    });
    afterAll(() => database.drop());
    beforeEach(async () => {
      link = await FaultyLink.open(url, standardPort);
      adapter = connect({ ...throughLink(), timeoutMs: 3000, retryForMs: 5000 });
    });
    afterEach(async () => {
      await adapter.close?.();
      await link.down();
    });

    function throughLink(): ServerAddress {
      return { ...(database.address as ServerAddress), url: link.through(url) };
    }

    function impatient(): ClosableAdapter {
      return connect({ ...throughLink(), timeoutMs: 3000, retryForMs: 100 });
    }

    it('reports outcome none while the server is down, and works again afterwards', async () => {
      const hurried = impatient();
      const store = createSessionStore({ adapter: hurried });
      const id = crypto.randomUUID();
      await link.down();

      const failure = await store.create({ id, userId: 'ada' }).catch((error: unknown) => error);
      await link.restore();

      expect(failure).toBeInstanceOf(SessionStoreUnavailableError);
      expect(failure).toMatchObject({ outcome: 'none' });
      expect((await store.create({ id, userId: 'ada' })).id).toBe(id);
      await hurried.close?.();
    });

    it('reports a server that goes down between two calls, for reads and writes', async () => {
      const hurried = impatient();
      const session = aSession();
      await hurried.insert(session);
      await link.down();

      const calls = [
        hurried.fetchById(session.id),
        hurried.fetchMany({ userId: 'ada' }),
        hurried.update(session.id, { state: 'active' }),
        hurried.insert(aSession()),
        hurried.delete(session.id),
        hurried.serialize('key', async () => undefined),
      ];

      const results = await Promise.allSettled(calls);
      const reasons = results.map((result) => result.status === 'rejected' && result.reason);
      expect(reasons.map((reason) => reason instanceof SessionStoreUnavailableError)).toEqual(
        calls.map(() => true),
      );
      expect(await direct.fetchById(session.id)).toEqual(session);
      await hurried.close?.();
    });

    it('retries during a restart', async () => {
      const session = aSession();
      await adapter.insert(session);
      await link.down();

      const [updated] = await Promise.all([
        adapter.update(session.id, { state: 'active' }),
        link.restore(),
      ]);

      expect(updated).toEqual({ ...session, state: 'active' });
      expect(await direct.fetchById(session.id)).toEqual(updated);
    });

    it('loses nothing when connections are cut repeatedly', async () => {
      const session = aSession();
      await adapter.insert(session);
      const store = createSessionStore({ adapter });

      for (let round = 0; round < 10; round++) {
        const attaching = store.attachSurface(session.id, `s${round}`);
        link.cut();
        await attaching;
      }

      const expected = Array.from({ length: 10 }, (_unused, round) => `s${round}`);
      expect((await direct.fetchById(session.id))?.attachedSurfaces).toEqual(expected);
    });

    it('recognises its own change after the response was lost', async () => {
      const session = aSession();
      await adapter.insert(session);
      const count = (): Promise<unknown> =>
        adapter.mutate(session.id, (current) => ({
          ...current,
          metadata: { count: Number(current.metadata.count ?? 0) + 1 },
        }));
      await count();
      link.loseAnswerTo(WRITE);

      await count();

      expect(link.lost).toBe(1);
      expect((await direct.fetchById(session.id))?.metadata).toEqual({ count: 2 });
    });

    it('recognises its own new session after the response was lost', async () => {
      await adapter.insert(aSession());
      const session = aSession();
      link.loseAnswerTo(WRITE);

      await adapter.insert(session);

      expect(link.lost).toBe(1);
      expect(await direct.fetchById(session.id)).toEqual(session);
      await expect(adapter.insert(session)).rejects.toThrow(new SessionConflictError(session.id));
    });

    it('reports outcome unknown when others changed the session since', async () => {
      const session = aSession();
      await adapter.insert(session);
      await adapter.update(session.id, { metadata: { by: 'us, before' } });
      link.loseAnswerTo(WRITE, async () => {
        await direct.update(session.id, { metadata: { by: 'another' } });
      });

      const failure = await adapter
        .update(session.id, { metadata: { by: 'us' } })
        .catch((error: unknown) => error);

      expect(link.lost).toBe(1);
      expect(failure).toBeInstanceOf(SessionStoreUnavailableError);
      expect(failure).toMatchObject({ outcome: 'unknown' });
      expect((await direct.fetchById(session.id))?.metadata).toEqual({ by: 'another' });
    });

    it('times out on a hanging server, and works once it responds again', async () => {
      const hurried = connect({ ...throughLink(), timeoutMs: 500, retryForMs: 1000 });
      const session = aSession();
      await hurried.insert(session);
      link.silence();

      const failure = await hurried.fetchById(session.id).catch((error: unknown) => error);
      link.cut();
      await link.restore();

      expect(failure).toBeInstanceOf(SessionStoreUnavailableError);
      expect(await hurried.fetchById(session.id)).toEqual(session);
      await hurried.close?.();
    });

    it('keeps the password out of its errors', async () => {
      const secret = new URL(link.through(url));
      secret.username = 'someone';
      secret.password = 'hunter2';
      await link.down();
      const locked = connect({
        ...throughLink(),
        url: secret.href,
        retryForMs: 0,
      });

      const failure = await locked.fetchById('any').catch((error: unknown) => error);

      expect(failure).toBeInstanceOf(SessionStoreUnavailableError);
      expect(String(failure)).not.toContain('hunter2');
      await locked.close?.();
    });
  });
}
