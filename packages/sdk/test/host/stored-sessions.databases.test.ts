import { createAssistantMessage } from '@robota-sdk/agent-core';
import {
  createProjectSessionStore,
  openHostStore,
  SessionHost,
  sweepEvery,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { storeAddresses } from './store-addresses.ts';

const place = useTestPlace();
const ADA = { userId: 'ada', surfaceId: 'slack:C1' };

describe.each(Object.entries(await storeAddresses()))(
  'a host with its store on %s',
  (kind, create) => {
    /** Hooks run backwards: the hosts on it end before it goes. */
    async function newAddress(): Promise<string> {
      const { url, drop } = await create(place.home);
      onTestFinished(drop);
      return url;
    }

    async function newHost(url: string): Promise<SessionHost> {
      const store = await openHostStore(url);
      const host = new SessionHost({
        store,
        defaults: {
          cwd: place.project,
          provider: { name: 'echo', chat: async () => createAssistantMessage('Yes.') },
          bare: true,
          sessionStore: createProjectSessionStore(place.project),
        },
      });
      onTestFinished(async () => {
        await host.closeAll();
        await store.close();
      });
      return host;
    }

    it('lets an idle session go by its sweep, and brings it back on the next word', async () => {
      const host = await newHost(await newAddress());
      const { sessionId } = await host.sessionFor(ADA);
      await (await host.submit(sessionId, 'first')).outcome;
      const gone = new Promise<string>((resolve) => host.onClose((_session, why) => resolve(why)));

      const sweeping = sweepEvery(
        { sweep: () => host.sweep(0) },
        { intervalMs: 1, onError: (error) => expect(error).toBeUndefined() },
      );
      const why = await gone;
      // What the turn touched last may arrive after the first sweep; the next one finds it silent.
      const listed = await vi.waitFor(async () => {
        const found = await host.list();
        expect(found).toMatchObject([{ id: sessionId, state: 'suspended', isLive: false }]);
        return found;
      });
      await sweeping.stop();
      const again = await host.sessionFor(ADA);
      await (await host.submit(again.sessionId, 'second')).outcome;

      expect(why).toBe('idle');
      expect(listed).toHaveLength(1);
      expect(again.sessionId).toBe(sessionId);
      expect(promptsOf(again)).toEqual(['first', 'second']);
      expect(await host.list()).toMatchObject([{ id: sessionId, state: 'active', isLive: true }]);
    });

    // Memory ends with its process.
    if (kind !== 'memory') {
      it('is found again by the next server', async () => {
        const url = await newAddress();
        const first = await newHost(url);
        const { sessionId } = await first.sessionFor(ADA);
        await (await first.submit(sessionId, 'first', { user: 'ada' })).outcome;
        await first.closeAll('other');

        const next = await newHost(url);
        await next.start();
        const back = await next.sessionFor(ADA);
        await (await next.submit(back.sessionId, 'second', { user: 'ada' })).outcome;

        expect(back.sessionId).toBe(sessionId);
        expect(promptsOf(back)).toEqual(['first', 'second']);
      });
    }

    it('knows an ended session no more', async () => {
      const host = await newHost(await newAddress());
      const { sessionId } = await host.sessionFor(ADA);
      await (await host.submit(sessionId, 'first')).outcome;

      await host.remove(sessionId);

      expect(await host.list()).toEqual([]);
      expect((await host.sessionFor(ADA)).sessionId).not.toBe(sessionId);
    });
  },
);

function promptsOf(session: {
  getConversation(): { blocks: readonly { type: string; content?: unknown }[] };
}) {
  const { blocks } = session.getConversation();
  return blocks.flatMap(({ type, content }) => (type === 'user_message' ? [content] : []));
}
