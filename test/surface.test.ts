import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// Builds declarations that are out of date.
import '../apps/cli/test/support/program.ts';
import { describeSurface, LIBRARIES, readSurface, surfacePath } from '../tools/surface.mjs';

/** A change of the public surface must show in docs/surface; `npm run surface` updates it. */
describe.each(LIBRARIES)('the public surface of %s', (library) => {
  it('matches docs/surface', () => {
    expect(describeSurface(library)).toBe(readFileSync(surfacePath(library), 'utf8'));
  });

  it('has a comment for every name', () => {
    const silent = readSurface(library).flatMap(({ names }) =>
      names.filter(({ hasComment }) => !hasComment).map(({ name, file }) => `${file}: ${name}`),
    );

    expect(silent).toEqual([]);
  });
});
