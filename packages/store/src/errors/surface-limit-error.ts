/** The session already has as many surfaces as `maxSurfaces` allows. */
export class SurfaceLimitError extends Error {
  override readonly name = 'SurfaceLimitError';
  readonly sessionId: string;
  readonly maxSurfaces: number;

  constructor(sessionId: string, maxSurfaces: number) {
    super(
      `Cannot attach another surface to session ${sessionId}: the limit is ${maxSurfaces}; detach one first`,
    );
    this.sessionId = sessionId;
    this.maxSurfaces = maxSurfaces;
  }
}
