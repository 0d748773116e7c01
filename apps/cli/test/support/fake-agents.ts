import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FAKE_PROGRAMS, fakeProgram } from '../../../../packages/sdk/test/live/fake-programs.ts';
import type { Place } from './run-robota.ts';

/** Puts the fake programs on a path of their own, under the names of the real ones. */
export function withFakeAgents(place: Place): { readonly PATH: string } {
  const folder = join(place.home, 'bin');
  mkdirSync(folder, { recursive: true });
  for (const { name } of FAKE_PROGRAMS) {
    symlinkSync(fakeProgram(name).command, join(folder, name));
  }
  return { PATH: `${folder}:${process.env.PATH}` };
}
