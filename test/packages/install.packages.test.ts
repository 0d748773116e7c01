import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ModelServer,
  says,
  startModelServer,
} from '../../apps/cli/test/support/model-server.ts';
import { compileSamples, runSample } from './consumer.ts';
import { CONSUMER_DEPENDENCIES, type PackedPackage, packInto, root } from './packed.ts';
import { writeSamples } from './samples.ts';

/** npm installs the tarballs into empty projects; every sample of the documentation compiles and runs there. */

const NODES = JSON.parse(process.env.ROBOTA_TEST_NODES ?? '[]') as readonly string[];
const MANIFEST = '{ "type": "module", "private": true }\n';
const scratch = mkdtempSync(join(tmpdir(), 'robota-install-'));
const project = join(scratch, 'project');
const samples = writeSamples(join(project, 'samples'));
let packed: readonly PackedPackage[];
let vendor: ModelServer;

beforeAll(async () => {
  packed = packInto(join(scratch, 'tarballs'));
  writeFileSync(join(project, 'package.json'), MANIFEST);
  const libraries = packed.filter(({ name }) => !name.endsWith('-cli'));
  npm(
    ['install', ...libraries.map(({ tarball }) => tarball), ...versions(CONSUMER_DEPENDENCIES)],
    project,
  );
  vendor = await startModelServer(says('{"title":"It is late","severity":3}'));
}, 600_000);

afterAll(async () => {
  await vendor?.close();
  rmSync(scratch, { recursive: true, force: true });
});

function npm(args: readonly string[], cwd: string, env: Record<string, string> = {}): void {
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', [...args, ...quiet], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
}

/** The versions this repository is tested with. */
function versions(names: readonly string[]): string[] {
  return names.map((name) => {
    const manifest = join(root, 'node_modules', name, 'package.json');
    const { version } = JSON.parse(execFileSync('cat', [manifest], { encoding: 'utf8' }));
    return `${name}@${version}`;
  });
}

describe.each([[true], [false]])(
  'with exactOptionalPropertyTypes %s',
  (exactOptionalPropertyTypes) => {
    it('compiles every sample, including package declarations', async () => {
      expect(await compileSamples(project, { exactOptionalPropertyTypes })).toBe('');
    }, 300_000);
  },
);

describe.each([process.execPath, ...NODES])('%s', (node) => {
  it.each(samples.filter(({ isRun }) => isRun))(
    '$name runs',
    async ({ file }) => {
      const end = await runSample(project, file.replace('.ts', '.js'), {
        node,
        vendor: vendor.url,
      });

      expect(end).toMatchObject({ code: 0 });
    },
    120_000,
  );

  it('runs the installed command in an empty home', () => {
    const home = mkdtempSync(join(scratch, 'home-'));
    const robota = (...args: string[]) =>
      execFileSync(node, [commandAt(), ...args], {
        cwd: home,
        env: { PATH: process.env.PATH ?? '', HOME: home },
        encoding: 'utf8',
      });

    expect(robota('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(robota('-p', 'list files', '--provider', 'demo')).toContain('Glob');
  }, 120_000);
});

/** Installs the command with `npm i -g`, once. */
function commandAt(): string {
  const prefix = join(scratch, 'global');
  const command = join(prefix, 'bin/robota');
  if (existsSync(command)) return command;
  mkdirSync(prefix, { recursive: true });
  const [cli] = packed.filter(({ name }) => name.endsWith('-cli'));
  if (cli === undefined) throw new Error('The command was not packed.');
  npm(['install', '-g', cli.tarball], scratch, {
    npm_config_prefix: prefix,
    HOME: mkdtempSync(join(scratch, 'empty-')),
  });
  return command;
}

describe('types', () => {
  it.each([
    'core',
    'session',
    'sdk',
    'tools',
    'store',
    'provider',
    'transport',
    'transcript',
    'archive',
  ])(
    'of %s are found by every way to resolve them that has ES modules',
    (name) => {
      const found = packed.find((each) => each.name.endsWith(`agent-${name}`));
      const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');

      execFileSync(process.execPath, [attw, found?.tarball ?? '', '--profile', 'esm-only'], {
        stdio: 'pipe',
      });
    },
    120_000,
  );
});
