/** A session on this machine, whichever agent it belongs to. */
export interface FoundSession {
  /** `robota`, or the architecture of a foreign program. */
  readonly agent: string;
  readonly id: string;
  readonly name: string | undefined;
  readonly cwd: string | undefined;
  /** The first words of it, where they are known without reading it all. */
  readonly preview: string | undefined;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly messageCount: number | undefined;
  /** The transcript of a foreign session; our own are found by id. */
  readonly path: string | undefined;
}

export function sessionTitle({ name, preview, id }: FoundSession): string {
  return name ?? preview?.replaceAll(/\s+/g, ' ').trim() ?? id;
}
