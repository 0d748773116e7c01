import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
// Builds what is out of date.
import '../../apps/cli/test/support/program.ts';

export const root = join(import.meta.dirname, '../..');

/** Published packages: every library, and the command. */
export const PUBLISHED = [
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  'apps/cli',
];

export interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
}

/** Runs `npm pack` on the built packages. */
export function packInto(folder: string, places: readonly string[] = PUBLISHED): PackedPackage[] {
  mkdirSync(folder, { recursive: true });
  const sources = places.map((place) => join(root, place));
  const output = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...sources],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return (JSON.parse(output) as { name: string; filename: string }[]).map(({ name, filename }) => ({
    name,
    tarball: join(folder, filename.replace('@', '').replace('/', '-')),
  }));
}

/** A project outside the repository: our packages come from tarballs, their dependencies from this repository's install. */
export function installFromTarballs(folder: string, packed: readonly PackedPackage[]): void {
  const modules = join(folder, 'node_modules');
  for (const { name, tarball } of packed) {
    const place = join(modules, name);
    mkdirSync(place, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', place, '--strip-components=1']);
    const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    for (const dependency of Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
    })) {
      if (!dependency.startsWith('@robota-sdk/')) link(modules, dependency);
    }
  }
  for (const name of CONSUMER_DEPENDENCIES) link(modules, name);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
}

/** What a consumer has installed as well. */
export const CONSUMER_DEPENDENCIES = [
  '@types/node',
  '@types/react',
  '@types/ws',
  'react',
  'ws',
  'zod',
];

function link(modules: string, name: string): void {
  const place = join(modules, name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), place);
}
