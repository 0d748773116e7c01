import type { AtomicSessionStoreAdapter } from './atomic-session-store-adapter.ts';
import { SessionNotFoundError } from './errors/session-not-found-error.ts';
import { withoutSurface } from './lifecycle.ts';

/** Attaches each surface to one session at a time: it is detached from all others first. */
export class SurfaceSlots {
  readonly #adapter: AtomicSessionStoreAdapter;

  constructor(adapter: AtomicSessionStoreAdapter) {
    this.#adapter = adapter;
  }

  /** Runs `attach` under a lock on the surface; a crash in between leaves it detached. */
  take<Result>(
    surfaceId: string,
    newHolder: string,
    attach: () => Promise<Result>,
  ): Promise<Result> {
    return this.#adapter.serialize(`surface:${surfaceId}`, async () => {
      const holders = await this.#adapter.fetchMany({ surfaceId, limit: Number.MAX_SAFE_INTEGER });
      for (const holder of holders) {
        if (holder.id !== newHolder) await this.#detach(holder.id, surfaceId);
      }
      return attach();
    });
  }

  async #detach(sessionId: string, surfaceId: string): Promise<void> {
    try {
      await this.#adapter.mutate(sessionId, (current) => withoutSurface(current, surfaceId));
    } catch (error) {
      // A session deleted meanwhile has no surfaces.
      if (!(error instanceof SessionNotFoundError)) throw error;
    }
  }
}
