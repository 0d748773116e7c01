import { CONNECTION_PREFIX, type StoredSessions } from './stored-sessions.ts';

export interface SurfaceRegisterParts {
  readonly stored: StoredSessions;
  readonly node: string;
  /** How long a surface may be away before it counts as gone, so that a reconnect writes nothing. */
  readonly detachAfterMs: number;
}

/** The surfaces that are connected to each session right now. */
export class SurfaceRegister {
  readonly #parts: SurfaceRegisterParts;
  /** Connections by session and surface; a surface can be connected twice. */
  readonly #open = new Map<string, Map<string, number>>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  #count = 0;

  constructor(parts: SurfaceRegisterParts) {
    this.#parts = parts;
  }

  /** Attaches a surface while it is connected; the returned function says that it went. */
  connect(sessionId: string, given: string | undefined): () => void {
    this.#count += 1;
    const surfaceId = given ?? `${CONNECTION_PREFIX}${this.#parts.node}:${this.#count}`;
    const surfaces = this.#open.get(sessionId) ?? new Map<string, number>();
    this.#open.set(sessionId, surfaces);
    surfaces.set(surfaceId, (surfaces.get(surfaceId) ?? 0) + 1);
    if (!this.#stay(sessionId, surfaceId)) void this.#parts.stored.attach(sessionId, surfaceId);
    let isGone = false;
    return () => {
      if (isGone) return;
      isGone = true;
      this.#leave(sessionId, surfaceId);
    };
  }

  /** It was connected to another life of this server: unless it comes back, it counts as gone. */
  expectBack(sessionId: string, surfaceId: string): void {
    if (!this.#open.get(sessionId)?.has(surfaceId)) this.#detachLater(sessionId, surfaceId);
  }

  isConnected(sessionId: string): boolean {
    return (this.#open.get(sessionId)?.size ?? 0) > 0;
  }

  /** Detaches at once whatever was to be detached later. */
  async flush(): Promise<void> {
    const leaving = [...this.#leaving];
    this.#leaving.clear();
    await Promise.all(
      leaving.map(([key, timer]) => {
        clearTimeout(timer);
        const [sessionId = '', surfaceId = ''] = JSON.parse(key) as string[];
        return this.#parts.stored.detach(sessionId, surfaceId);
      }),
    );
  }

  /** Whether it came back before it counted as gone. */
  #stay(sessionId: string, surfaceId: string): boolean {
    const key = JSON.stringify([sessionId, surfaceId]);
    const timer = this.#leaving.get(key);
    if (timer === undefined) return false;
    clearTimeout(timer);
    this.#leaving.delete(key);
    return true;
  }

  #leave(sessionId: string, surfaceId: string): void {
    const surfaces = this.#open.get(sessionId);
    const left = (surfaces?.get(surfaceId) ?? 1) - 1;
    if (left > 0) {
      surfaces?.set(surfaceId, left);
      return;
    }
    surfaces?.delete(surfaceId);
    if (surfaces?.size === 0) this.#open.delete(sessionId);
    this.#detachLater(sessionId, surfaceId);
  }

  #detachLater(sessionId: string, surfaceId: string): void {
    const key = JSON.stringify([sessionId, surfaceId]);
    const detach = () => {
      this.#leaving.delete(key);
      void this.#parts.stored.detach(sessionId, surfaceId);
    };
    this.#leaving.set(key, setTimeout(detach, this.#parts.detachAfterMs).unref());
  }
}
