import type { Identity } from './roles.ts';

/** Interval of the check; a revoked token may be used this much longer. */
const CHECK_MS = 1_000;

/** Notifies open connections when their token is revoked. */
export class Revocations {
  readonly #isStillAdmitted: (identity: Identity) => boolean;
  /** Callbacks of open connections by token id. */
  readonly #callbacks = new Map<string, Map<() => void, Identity>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(isStillAdmitted: (identity: Identity) => boolean) {
    this.#isStillAdmitted = isStillAdmitted;
  }

  /** Calls `onRevoked` once, unless the returned function is called first. */
  watch(identity: Identity, onRevoked: () => void): () => void {
    const { tokenId } = identity;
    // The server's own token cannot be revoked while it runs.
    if (tokenId === undefined) return () => undefined;
    const callbacks = this.#callbacks.get(tokenId) ?? new Map<() => void, Identity>();
    const callback = () => onRevoked();
    this.#callbacks.set(tokenId, callbacks.set(callback, identity));
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0) this.#forget(tokenId, callbacks);
    };
  }

  /** Checks each token once, however many connections use it. */
  #check(): void {
    for (const [tokenId, callbacks] of this.#callbacks) {
      const [identity] = callbacks.values();
      if (identity && this.#isStillAdmitted(identity)) continue;
      this.#forget(tokenId, callbacks);
      for (const callback of callbacks.keys()) callback();
    }
  }

  #forget(tokenId: string, callbacks: ReadonlyMap<() => void, Identity>): void {
    if (this.#callbacks.get(tokenId) === callbacks) this.#callbacks.delete(tokenId);
    if (this.#callbacks.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
