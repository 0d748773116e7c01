import {
  createSessionStore,
  defaultAffinityResolver,
  type InboundMessage,
  InMemorySessionStoreAdapter,
  resolveSession,
  type SessionStore,
} from '@robota-sdk/agent-store';
import { expect, it } from 'vitest';

type Handler = (message: InboundMessage, context: { runtime: Runtime }) => Promise<void>;

/** The part of an assistant runtime that a subsystem and a capability handler use. */
class Runtime {
  readonly #subsystems = new Map<string, unknown>();
  readonly #capabilities: Record<string, Handler>;

  constructor(capabilities: Record<string, Handler>) {
    this.#capabilities = capabilities;
  }

  register<Subsystem>(name: string, subsystem: Subsystem): this {
    this.#subsystems.set(name, subsystem);
    return this;
  }

  get<Subsystem>(name: string): Subsystem {
    if (!this.#subsystems.has(name)) throw new Error(`Subsystem '${name}' is not registered`);
    return this.#subsystems.get(name) as Subsystem;
  }

  async dispatch(message: InboundMessage): Promise<void> {
    await this.#capabilities[message.capability]?.(message, { runtime: this });
  }
}

it('a dispatched message touches its session through the runtime', async () => {
  const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
  const runtime = new Runtime({
    async chat(message, context) {
      const sessions = context.runtime.get<SessionStore>('sessions');
      const session = await resolveSession(message, sessions, defaultAffinityResolver(sessions));
      await sessions.touch(session.id);
      await sessions.attachSurface(session.id, message.surfaceId);
    },
  }).register('sessions', store);
  const message: InboundMessage = {
    id: 'm1',
    surfaceId: 'web',
    userId: 'ada',
    workspaceId: 'w',
    text: 'Hello',
    raw: {},
    receivedAt: new Date().toISOString(),
    capability: 'chat',
  };

  await runtime.dispatch(message);
  await runtime.dispatch({ ...message, id: 'm2', surfaceId: 'slack' });

  const [session, ...others] = await store.find({ userId: 'ada' });
  expect(others).toEqual([]);
  expect(session).toMatchObject({
    state: 'active',
    workspaceId: 'w',
    attachedSurfaces: ['web', 'slack'],
  });
});
