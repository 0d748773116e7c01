import type { Identity } from './roles.ts';

/** How long somebody whose token was revoked may go on listening. */
const LOOK_MS = 1_000;

/** Tells those who stay connected when the token that let them in is no longer good. */
export class Revocations {
  readonly #isStillAdmitted: (identity: Identity) => boolean;
  /** Who listens, by the token that each showed. */
  readonly #staying = new Map<string, Map<() => void, Identity>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(isStillAdmitted: (identity: Identity) => boolean) {
    this.#isStillAdmitted = isStillAdmitted;
  }

  /** Calls `onRevoked` once, unless the returned function is called first. */
  watch(identity: Identity, onRevoked: () => void): () => void {
    const { tokenId } = identity;
    // The server's own token is good as long as the server runs.
    if (tokenId === undefined) return () => undefined;
    const staying = this.#staying.get(tokenId) ?? new Map<() => void, Identity>();
    const told = () => onRevoked();
    this.#staying.set(tokenId, staying.set(told, identity));
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return () => {
      staying.delete(told);
      if (staying.size === 0) this.#forget(tokenId, staying);
    };
  }

  /** One look for each token, however many listen with it. */
  #look(): void {
    for (const [tokenId, staying] of this.#staying) {
      const [identity] = staying.values();
      if (identity && this.#isStillAdmitted(identity)) continue;
      this.#forget(tokenId, staying);
      for (const tell of staying.keys()) tell();
    }
  }

  #forget(tokenId: string, staying: ReadonlyMap<() => void, Identity>): void {
    if (this.#staying.get(tokenId) === staying) this.#staying.delete(tokenId);
    if (this.#staying.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
