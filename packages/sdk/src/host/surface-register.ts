import { CONNECTION_PREFIX, type StoredSessions } from './stored-sessions.ts';

export interface SurfaceRegisterParts {
  readonly stored: StoredSessions;
  readonly node: string;
  /** How long a surface may be disconnected before it is detached, so that a reconnect writes nothing. */
  readonly detachAfterMs: number;
}

/** The surfaces that are connected to each session right now. */
export class SurfaceRegister {
  readonly #parts: SurfaceRegisterParts;
  /** Connections by session and surface; a surface can be connected twice. */
  readonly #connected = new Map<string, Map<string, number>>();
  /** Timers of surfaces that disconnected, by session and surface. */
  readonly #detaching = new Map<string, NodeJS.Timeout>();
  #count = 0;

  constructor(parts: SurfaceRegisterParts) {
    this.#parts = parts;
  }

  /** Attaches a surface until the returned function is called. */
  connect(sessionId: string, given: string | undefined): () => void {
    this.#count += 1;
    const surfaceId = given ?? `${CONNECTION_PREFIX}${this.#parts.node}:${this.#count}`;
    const surfaces = this.#connected.get(sessionId) ?? new Map<string, number>();
    this.#connected.set(sessionId, surfaces);
    surfaces.set(surfaceId, (surfaces.get(surfaceId) ?? 0) + 1);
    if (!this.#cancelDetach(sessionId, surfaceId))
      void this.#parts.stored.attach(sessionId, surfaceId);
    let isDisconnected = false;
    return () => {
      if (isDisconnected) return;
      isDisconnected = true;
      this.#disconnect(sessionId, surfaceId);
    };
  }

  /** For a surface that was connected before this server restarted. */
  detachUnlessReconnected(sessionId: string, surfaceId: string): void {
    if (!this.#connected.get(sessionId)?.has(surfaceId)) this.#detachLater(sessionId, surfaceId);
  }

  isConnected(sessionId: string): boolean {
    return (this.#connected.get(sessionId)?.size ?? 0) > 0;
  }

  /** Detaches disconnected surfaces now instead of after the delay. */
  async flush(): Promise<void> {
    const detaching = [...this.#detaching];
    this.#detaching.clear();
    await Promise.all(
      detaching.map(([key, timer]) => {
        clearTimeout(timer);
        const [sessionId = '', surfaceId = ''] = JSON.parse(key) as string[];
        return this.#parts.stored.detach(sessionId, surfaceId);
      }),
    );
  }

  /** True if the surface reconnected before it was detached. */
  #cancelDetach(sessionId: string, surfaceId: string): boolean {
    const key = JSON.stringify([sessionId, surfaceId]);
    const timer = this.#detaching.get(key);
    if (timer === undefined) return false;
    clearTimeout(timer);
    this.#detaching.delete(key);
    return true;
  }

  #disconnect(sessionId: string, surfaceId: string): void {
    const surfaces = this.#connected.get(sessionId);
    const remaining = (surfaces?.get(surfaceId) ?? 1) - 1;
    if (remaining > 0) {
      surfaces?.set(surfaceId, remaining);
      return;
    }
    surfaces?.delete(surfaceId);
    if (surfaces?.size === 0) this.#connected.delete(sessionId);
    this.#detachLater(sessionId, surfaceId);
  }

  #detachLater(sessionId: string, surfaceId: string): void {
    const key = JSON.stringify([sessionId, surfaceId]);
    const detach = () => {
      this.#detaching.delete(key);
      void this.#parts.stored.detach(sessionId, surfaceId);
    };
    this.#detaching.set(key, setTimeout(detach, this.#parts.detachAfterMs).unref());
  }
}
