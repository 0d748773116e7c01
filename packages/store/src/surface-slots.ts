import type { AtomicSessionStoreAdapter } from './atomic-session-store-adapter.ts';
import { SessionNotFoundError } from './errors/session-not-found-error.ts';
import { withoutSurface } from './lifecycle.ts';

/** Keeps every surface with one session at a time: taking it frees it everywhere else first. */
export class SurfaceSlots {
  readonly #adapter: AtomicSessionStoreAdapter;

  constructor(adapter: AtomicSessionStoreAdapter) {
    this.#adapter = adapter;
  }

  /** Runs `attach` while nobody else can take the surface; a crash in between leaves it with nobody. */
  take<Result>(surfaceId: string, taker: string, attach: () => Promise<Result>): Promise<Result> {
    return this.#adapter.serialize(`surface:${surfaceId}`, async () => {
      const holders = await this.#adapter.fetchMany({ surfaceId, limit: Number.MAX_SAFE_INTEGER });
      for (const holder of holders) {
        if (holder.id !== taker) await this.#free(holder.id, surfaceId);
      }
      return attach();
    });
  }

  async #free(sessionId: string, surfaceId: string): Promise<void> {
    try {
      await this.#adapter.mutate(sessionId, (current) => withoutSurface(current, surfaceId));
    } catch (error) {
      // A session that was deleted meanwhile holds no surface any more.
      if (!(error instanceof SessionNotFoundError)) throw error;
    }
  }
}
