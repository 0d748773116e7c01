import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ModelServer, says, startModelServer } from '../apps/cli/test/support/model-server.ts';
import { compileSamples, runSample } from './packages/consumer.ts';
import { LATE_PARTS_OUTPUT, USES_LATE_PARTS } from './packages/late-parts.ts';
import {
  installFromTarballs,
  type PackedPackage,
  PUBLISHED,
  packInto,
  root,
} from './packages/packed.ts';
import { writeSamples } from './packages/samples.ts';

/** The packages as they are published, in a project that has nothing else. `npm run test:packages` tries far more. */

const LIBRARIES = PUBLISHED.filter((place) => place.startsWith('packages/'));
let scratch: string;
let packed: readonly PackedPackage[];
let vendor: ModelServer;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'robota-packages-'));
  packed = packInto(join(scratch, 'tarballs'), LIBRARIES);
  installFromTarballs(scratch, packed);
  vendor = await startModelServer(says('{"title":"It is late","severity":3}'));
}, 120_000);

afterAll(async () => {
  await vendor?.close();
  rmSync(scratch, { recursive: true, force: true });
});

const placeOf = (name: string) => join(scratch, 'node_modules', name);
const nameOf = (place: string) => `@robota-sdk/agent-${place.replace('packages/', '')}`;

describe.each(LIBRARIES.map(nameOf))('%s', (name) => {
  it('holds what is needed and nothing of how it was built', () => {
    const files = readdirSync(placeOf(name), { recursive: true }).map(String);

    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist']));
    expect(files.filter((file) => /tsbuildinfo|\.test\.|(?:^|\/)test\//.test(file))).toEqual([]);
  });

  it('is a package as registries and bundlers expect one', async () => {
    const { messages } = await publint({ pkgDir: placeOf(name), pack: false, strict: true });

    expect(messages).toEqual([]);
  });

  it('names every file of its entries, and no type of a provider package', () => {
    const manifest = JSON.parse(readFileSync(join(placeOf(name), 'package.json'), 'utf8'));
    const targets = Object.values<Record<string, string> | string>(manifest.exports).flatMap(
      (target) => (typeof target === 'string' ? [target] : Object.values(target)),
    );
    const declarations = readdirSync(join(placeOf(name), 'dist'), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => readFileSync(join(placeOf(name), 'dist', file), 'utf8'));

    expect(targets.filter((path) => !existsSync(join(placeOf(name), path)))).toEqual([]);
    expect(declarations.filter((text) => text.includes('@ai-sdk/'))).toEqual([]);
    expect(manifest).toMatchObject({
      license: 'MIT',
      repository: { directory: expect.any(String) },
    });
    expect(manifest.private).toBeUndefined();
  });
});

describe('somebody who builds with the packages', () => {
  it('compiles every sample under the strictest options, and runs those of the first page', async () => {
    const samples = writeSamples(join(scratch, 'samples'));

    expect(await compileSamples(scratch, { exactOptionalPropertyTypes: true })).toBe('');

    const first = samples.filter(({ name }) => name.startsWith('README.md'));
    const ends = await Promise.all(
      first.map(({ file }) =>
        runSample(scratch, file.replace('.ts', '.js'), { vendor: vendor.url }),
      ),
    );
    expect(ends).toEqual(
      first.map(() => ({ code: 0, output: expect.stringContaining('It is late') })),
    );
  }, 120_000);
});

describe('what few programs use', () => {
  it('is loaded by Node when it is used, and not before', () => {
    const program = join(scratch, 'late-parts.mjs');
    writeFileSync(program, USES_LATE_PARTS);

    expect(outputOf(program)).toEqual(LATE_PARTS_OUTPUT);
  });

  it('goes into the one file of whoever bundles the packages', async () => {
    expect(outputOf(await bundled({}))).toEqual(LATE_PARTS_OUTPUT);
  }, 60_000);

  it('says what is missing where a bundler has left the condition out', async () => {
    const program = await bundled({ conditions: [] });

    expect(() => outputOf(program)).toThrow('A bundler has to have the condition "module"');
  }, 60_000);
});

/** The program in one file, in a folder that has no packages. */
async function bundled(options: BuildOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'robota-bundled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.mjs');
  await build({
    stdin: { contents: USES_LATE_PARTS, resolveDir: scratch },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@photostructure/sqlite'],
    logLevel: 'error',
    ...options,
  });
  return program;
}

function outputOf(program: string): unknown {
  const home = join(scratch, 'home');
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const options = { cwd: scratch, env, encoding: 'utf8', stdio: 'pipe' } as const;
  const text = execFileSync(process.execPath, [program], options);
  return JSON.parse(text.trim().split('\n').at(-1) ?? '');
}

it('every library is packed', () => {
  expect(packed.map(({ name }) => name).sort()).toEqual(LIBRARIES.map(nameOf).sort());
  expect(existsSync(join(root, '.changeset/config.json'))).toBe(true);
});
