import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A home and a project of their own for every test of a file, gone afterwards. */
export interface TestPlace {
  home: string;
  project: string;
  /** Writes below the project; objects become JSON. */
  write(path: string, content: unknown): string;
  writeHome(path: string, content: unknown): string;
}

export function useTestPlace(): TestPlace {
  const before = { ...process.env };
  let root = '';
  const place: TestPlace = {
    home: '',
    project: '',
    write: (path, content) => writeUnder(place.project, path, content),
    writeHome: (path, content) => writeUnder(place.home, path, content),
  };
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-sdk-')));
    place.home = join(root, 'home');
    place.project = join(root, 'project');
    mkdirSync(place.home);
    mkdirSync(place.project);
    process.env.HOME = place.home;
    for (const name of Object.keys(process.env)) {
      if (name.startsWith('ROBOTA_')) delete process.env[name];
    }
  });
  afterEach(() => {
    // Name by name: a new object in place of process.env would not reach os.homedir().
    for (const name of Object.keys(process.env)) {
      if (!(name in before)) delete process.env[name];
    }
    Object.assign(process.env, before);
    rmSync(root, { recursive: true, force: true });
  });
  return place;
}

function writeUnder(folder: string, path: string, content: unknown): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
