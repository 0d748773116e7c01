import type { SessionHost, SessionView } from '@robota-sdk/agent-sdk';

interface FollowedView {
  readonly view: SessionView;
  users: number;
  leaving: NodeJS.Timeout | undefined;
}

/** How long a session is still followed after its last reader left; pages are requested one by one. */
const LINGER_MS = 30_000;

/** Sessions that other programs run, each followed once while it has readers. */
export class FollowedViews {
  readonly #views = new Map<string, FollowedView>();
  readonly #lingerMs: number;

  constructor(lingerMs: number = LINGER_MS) {
    this.#lingerMs = lingerMs;
  }

  /** Resolves once the history is read; call `leave` when done. */
  async visit(
    host: Pick<SessionHost, 'follow'>,
    agent: string,
    id: string,
  ): Promise<{ readonly view: SessionView; leave(): void }> {
    const key = `${agent} ${id}`;
    const known = this.#views.get(key);
    const followed = known ?? { view: host.follow(agent, id), users: 0, leaving: undefined };
    this.#views.set(key, followed);
    clearTimeout(followed.leaving);
    followed.users += 1;
    let isGone = false;
    const leave = () => {
      if (isGone) return;
      isGone = true;
      this.#leave(key, followed, this.#lingerMs);
    };
    try {
      await followed.view.whenReady();
    } catch (error) {
      isGone = true;
      this.#leave(key, followed, 0);
      throw error;
    }
    return { view: followed.view, leave };
  }

  async close(): Promise<void> {
    const followed = [...this.#views.values()];
    this.#views.clear();
    for (const { leaving } of followed) clearTimeout(leaving);
    await Promise.all(followed.map(({ view }) => view.shutdown()));
  }

  #leave(key: string, followed: FollowedView, lingerMs: number): void {
    followed.users -= 1;
    if (followed.users > 0) return;
    const end = () => {
      if (this.#views.get(key) !== followed) return;
      this.#views.delete(key);
      void followed.view.shutdown();
    };
    if (lingerMs === 0) end();
    else followed.leaving = setTimeout(end, lingerMs).unref();
  }
}
