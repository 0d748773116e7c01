import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The dependency arrows of ARCHITECTURE.md: all that each package may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'packages/core': [],
  'packages/transcript': ['core'],
  'packages/store': [],
  'packages/tools': ['core'],
  'packages/provider': ['core'],
  'packages/session': ['core'],
  'packages/archive': ['core', 'session', 'transcript'],
  'packages/sdk': ['core', 'session', 'tools', 'store', 'transcript', 'archive'],
  'packages/transport': ['archive', 'core', 'sdk', 'transcript'],
  'apps/web': ['transcript', 'transport'],
  'apps/cli': ['archive', 'core', 'provider', 'sdk', 'store', 'transcript', 'transport', 'web'],
};

/** Entries for browsers: nothing they import may need a Node module. */
const BROWSER_SAFE = [
  'packages/core/src/log/index.ts',
  'packages/transcript/src/index.ts',
  'packages/transport/src/protocol.ts',
  'packages/transport/src/client/index.ts',
  'packages/transport/src/react/index.ts',
  'apps/web/src/main.tsx',
];

/** The engine's own classes; apps and transports talk to InteractiveSession instead. */
const ENGINE_NAMES = ['Agent', 'Robota', 'Conversation', 'Session', 'PermissionEnforcer'];

describe.each(Object.entries(MAY_IMPORT))('%s', (folder, allowed) => {
  it(`imports only ${allowed.join(', ') || 'no other package'}`, () => {
    expect(packagesOf(folder).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('declares the packages it imports, by exact version, and no others', () => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const siblings = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    }).filter(([name]) => name.startsWith('@robota-sdk/'));
    const declared = siblings.map(([name]) => name.replace('@robota-sdk/agent-', ''));

    expect(declared.sort()).toEqual([...new Set(packagesOf(folder))].sort());
    expect(siblings.filter(([, version]) => version !== manifest.version)).toEqual([]);
  });
});

it('covers every package', () => {
  const found = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );

  expect(found.sort()).toEqual(Object.keys(MAY_IMPORT).sort());
});

it.each(BROWSER_SAFE)('%s loads in a browser', async (entry) => {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    conditions: ['robota-source'],
    logLevel: 'silent',
  });
  const reached = Object.values(result.metafile.inputs).flatMap((input) =>
    input.imports.filter((imported) => imported.external).map((imported) => imported.path),
  );

  expect(reached.filter((path) => path.startsWith('node:'))).toEqual([]);
});

it.each(['packages/transport', 'apps/cli'])('%s never names the engine classes', (folder) => {
  const named = importsOf(folder)
    .filter(({ specifier }) => /^@robota-sdk\/agent-(core|sdk)$/.test(specifier))
    .flatMap(({ clause }) => clause.replace(/[{}]/g, '').split(','))
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0] ?? '',
    );

  expect(named.filter((name) => ENGINE_NAMES.includes(name))).toEqual([]);
});

it('resolves every package of our scope from this repository', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const foreign = Object.entries<{ link?: boolean }>(lock.packages).filter(
    ([path, entry]) => path.includes('node_modules/@robota-sdk/') && entry.link !== true,
  );

  expect(foreign).toEqual([]);
});

/** The other packages that a package imports. */
function packagesOf(folder: string): string[] {
  const own = folder.split('/')[1];
  return importsOf(folder)
    .flatMap(({ specifier }) => /^@robota-sdk\/agent-([a-z]+)/.exec(specifier)?.[1] ?? [])
    .filter((name) => name !== own);
}

interface Import {
  readonly clause: string;
  readonly specifier: string;
}

function importsOf(folder: string): Import[] {
  return sourcesIn(join(root, folder, 'src')).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const statements = text.matchAll(/^(?:import|export)\s+([^'";]*?)\s*(?:from\s+)?'([^']+)'/gms);
    const dynamic = text.matchAll(/import\(\s*'([^']+)'\s*\)/g);
    return [
      ...[...statements].map((match) => ({ clause: match[1] ?? '', specifier: match[2] ?? '' })),
      ...[...dynamic].map((match) => ({ clause: '', specifier: match[1] ?? '' })),
    ];
  });
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sourcesIn(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

it('lists every port in the table of ARCHITECTURE.md, under its package', () => {
  const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const [, table = ''] = /\| port \| owner \|[^\n]*\n([\s\S]*?)\n\n/.exec(document) ?? [];
  const listed = [...table.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
    ([, port, owner]) => `${owner} ${port}`,
  );

  expect(listed.toSorted()).toEqual(portsFound().toSorted());
});

it('has one glossary, sorted, each word once', () => {
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
  const words = [...glossary.matchAll(/^\| ([^|]+?) \|/gm)].map(([, word = '']) => word).slice(2);
  const plain = words.map((word) => word.toLowerCase());

  expect(plain).toEqual([...new Set(plain)].sort((left, right) => left.localeCompare(right, 'en')));
});

/** A comment that starts with `Port:`, and the name it documents. */
const PORT = /\/\*\*\s+(?:\* )?Port: (?:[^*]|\*(?!\/))*\*\/\s+export (?:interface|type) (\w+)/g;

function portsFound(): string[] {
  return readdirSync(join(root, 'packages')).flatMap((name) =>
    sourcesIn(join(root, 'packages', name, 'src')).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(PORT)].map(([, port]) => `${name} ${port}`),
    ),
  );
}

it('uses one version everywhere', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folders = Object.keys(MAY_IMPORT);
  const stated = folders.flatMap((folder) =>
    sourcesIn(join(root, folder, 'src')).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\bversion: '(\d+\.\d+\.\d+)'/g)].map(
        ([, found]) => `${path} ${found}`,
      ),
    ),
  );
  const packages = folders.map((folder) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  );

  expect(stated.filter((line) => !line.endsWith(` ${version}`))).toEqual([]);
  expect(packages.filter((manifest) => manifest.version !== version)).toEqual([]);
});
