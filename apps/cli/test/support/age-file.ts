import { utimesSync } from 'node:fs';

/** Makes a file look as if nobody had written to it for long. */
export function ageFile(path: string): void {
  const longAgo = new Date('2026-01-01T00:00:00.000Z');
  utimesSync(path, longAgo, longAgo);
}
