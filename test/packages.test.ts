import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ModelServer, says, startModelServer } from '../apps/cli/test/support/model-server.ts';
import { compileSamples, runSample } from './packages/consumer.ts';
import {
  FIRST_SESSION,
  LATE_PARTS_OUTPUT,
  MANY_IDS,
  SHOWS_STACK,
  USES_LATE_PARTS,
} from './packages/late-parts.ts';
import {
  installFromTarballs,
  type PackedPackage,
  PUBLISHED,
  packInto,
  root,
} from './packages/packed.ts';
import { writeSamples } from './packages/samples.ts';

/** The packages as published, in an otherwise empty project. `npm run test:packages` tests far more. */

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

/** Node's permission model; its flag has lost a word since version 20. */
const withPermissions = process.allowedNodeEnvironmentFlags.has('--permission')
  ? ['--permission']
  : ['--experimental-permission'];
const placeOf = (name: string) => join(scratch, 'node_modules', name);
const nameOf = (place: string) => `@robota-sdk/agent-${place.replace('packages/', '')}`;

describe.each(LIBRARIES.map(nameOf))('%s', (name) => {
  it('contains what is needed and no build leftovers', () => {
    const files = readdirSync(placeOf(name), { recursive: true }).map(String);

    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist']));
    expect(files.filter((file) => /tsbuildinfo|\.test\.|(?:^|\/)test\//.test(file))).toEqual([]);
  });

  it('is valid for registries and bundlers', async () => {
    const { messages } = await publint({ pkgDir: placeOf(name), pack: false, strict: true });

    expect(messages).toEqual([]);
  });

  it('includes every file of its entries, and no types of a provider package', () => {
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

describe('a consumer of the packages', () => {
  it('compiles every sample under the strictest options, and runs those of the README', async () => {
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

describe('rarely used parts', () => {
  it('are loaded by Node on first use', () => {
    const program = join(scratch, 'late-parts.mjs');
    writeFileSync(program, USES_LATE_PARTS);

    expect(outputOf(program)).toEqual(LATE_PARTS_OUTPUT);
  });

  it('are not loaded by a first session: few files, few modules of Node, half a megabyte', () => {
    const program = join(scratch, 'first-session.mjs');
    writeFileSync(program, FIRST_SESSION);
    const coverage = join(scratch, 'coverage');

    const output = outputOf(program, { variables: { NODE_V8_COVERAGE: coverage } });

    expect(output).toEqual({ status: 'completed', loaded: [] });

    const sizes = loadedFiles(coverage).map((file) => statSync(file).size);
    expect(sizes.length).toBeGreaterThan(4);
    expect(sizes.length).toBeLessThanOrEqual(10);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(500_000);
  });

  it.each([
    ['with the random bytes of the kernel', []],
    ['where no device can be read', [...withPermissions, `--allow-fs-read=${tmpdir()}/*`]],
  ])('do not matter for ids: %s, each is new', (_where, flags) => {
    const program = join(scratch, 'many-ids.mjs');
    writeFileSync(program, MANY_IDS);

    const ids = outputOf(program, { flags }) as string[];

    expect(new Set(ids).size).toBe(40);
    expect(
      ids.filter(
        (id) => !/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id),
      ),
    ).toEqual([]);
  });

  it('are included in a single-file bundle', async () => {
    expect(outputOf(await bundled({}))).toEqual(LATE_PARTS_OUTPUT);
  }, 60_000);

  it('explain what is missing when a bundler omits the condition', async () => {
    const program = await bundled({ conditions: [] });

    expect(() => outputOf(program)).toThrow('A bundler has to have the condition "module"');
  }, 60_000);
});

describe('a stack', () => {
  it('has the names of functions and classes', () => {
    const program = join(scratch, 'stack.mjs');
    writeFileSync(program, SHOWS_STACK);

    expect(outputOf(program)).toMatch(
      /^MissingOptionError: .*\n +at assertProvider \(.*\n +at createQuery \(/,
    );
  });

  it('leads to the lines of the sources', () => {
    const program = join(scratch, 'stack-of-sources.mjs');
    writeFileSync(program, SHOWS_STACK);

    const stack = String(outputOf(program, { flags: ['--enable-source-maps'] }));

    const [, file = '', line] = /assertProvider \((\/.*?\.ts):(\d+):\d+\)/.exec(stack) ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(
      'throw new MissingOptionError(',
    );
  });
});

/** Bundles the program into one file, in a folder without packages. */
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

/** Files of our packages that a process has loaded, from the coverage that V8 wrote about it. */
function loadedFiles(coverage: string): string[] {
  const reports = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), 'utf8'));
  const urls = reports.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  return urls.filter((url) => url.includes('/@robota-sdk/')).map((url) => fileURLToPath(url));
}

interface ProgramStart {
  readonly variables?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

function outputOf(program: string, { variables = {}, flags = [] }: ProgramStart = {}): unknown {
  const home = join(scratch, 'home');
  const env = { PATH: process.env.PATH ?? '', HOME: home, ...variables };
  const options = { cwd: scratch, env, encoding: 'utf8', stdio: 'pipe' } as const;
  const text = execFileSync(process.execPath, [...flags, program], options);
  return JSON.parse(text.trim().split('\n').at(-1) ?? '');
}

it('packs every library', () => {
  expect(packed.map(({ name }) => name).sort()).toEqual(LIBRARIES.map(nameOf).sort());
  expect(existsSync(join(root, '.changeset/config.json'))).toBe(true);
});
