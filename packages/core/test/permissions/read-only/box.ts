import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { explainPermission, readOnlyEnvironment } from '@robota-sdk/agent-core';
import { afterAll } from 'vitest';

export const SECRET = 'OUTSIDE-SECRET';

/** A directory with a project, files next to it, and links that lead from one to the other. */
export class Box {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'robota-box-')));
  readonly project = path.join(this.root, 'proj');
  #before: string;

  constructor() {
    afterAll(() => rmSync(this.root, { recursive: true, force: true }));
    this.#fill();
    this.#before = this.#state();
  }

  /** Inserts the path of this sandbox into a listed command. */
  at(command: string): string {
    return command.replaceAll('BOX', this.root);
  }

  /** The outcome of the command in default mode without rules: it asks, or the effect of running it. */
  attempt(command: string): 'asks' | 'no effect' | string {
    const { decision, run } = this.explain(command);
    if (decision !== 'auto') return 'asks';
    return run === undefined ? 'runs the original text' : this.effectOf(run.command);
  }

  explain(command: string) {
    return explainPermission('Bash', { command: this.at(command) }, 'default', {
      cwd: this.project,
    });
  }

  /** Runs text in bash and reports what it read, changed or started. */
  effectOf(text: string, given: NodeJS.ProcessEnv = process.env): string {
    const environment = readOnlyEnvironment(given, [this.project]);
    const { stdout } = this.run(text, environment);
    if (stdout.includes(SECRET)) return 'read outside';
    if (this.#state() === this.#before) return 'no effect';
    const effect = existsSync(path.join(this.root, 'pwned')) ? 'ran code' : 'changed files';
    this.reset();
    return effect;
  }

  run(text: string, env: NodeJS.ProcessEnv = process.env) {
    return spawnSync('/bin/bash', ['-c', text], {
      cwd: this.project,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 5_000,
      killSignal: 'SIGKILL',
    });
  }

  /** Adds or replaces a file of the project; the current state counts as untouched. */
  write(name: string, text: string): void {
    const file = path.join(this.project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    this.settle();
  }

  settle(): void {
    this.#before = this.#state();
  }

  reset(): void {
    this.#empty();
    this.#fill();
    this.settle();
  }

  #empty(): void {
    for (const name of readdirSync(this.root)) {
      rmSync(path.join(this.root, name), { recursive: true, force: true });
    }
  }

  #fill(): void {
    const { root, project } = this;
    for (const directory of ['proj/src', 'proj/lib', 'odir/deep']) {
      mkdirSync(path.join(root, directory), { recursive: true });
    }
    const pwn = `touch ${root}/pwned`;
    const files: Readonly<Record<string, string>> = {
      outside: `${SECRET}\n`,
      'odir/f': `${SECRET}\n`,
      'odir/deep/g': `${SECRET}\n`,
      'proj/a.txt': 'one\ntwo\nthree\n',
      'proj/b.json': '{"name":"x","list":[1,2,3]}\n',
      'proj/code.txt': `a[$(${pwn})]\n`,
      'proj/cmd.txt': `${pwn}\n`,
      'proj/big.txt': `${'some line of text to sort\n'.repeat(4_000)}`,
      'proj/list': `${root}/outside\n`,
      'proj/list0': `${root}/outside\0`,
      'proj/version': `import os; os.system(${JSON.stringify(pwn)})\n`,
      'proj/Makefile': `all:\n\t${pwn}\nversion:\n\t${pwn}\n`,
      'proj/script.sed': `1e ${pwn}\n`,
      'proj/prog.awk': `BEGIN{system("${pwn}")}\n`,
      'proj/src/b.ts': 'export const value = 1;\n',
      'proj/src/c.ts': 'export const other = 2;\n',
      'proj/evil': `#!/bin/sh\n${pwn}\n`,
      'proj/ls': `#!/bin/sh\n${pwn}\n`,
      'proj/--version': `${pwn}\n`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
    for (const name of ['evil', 'ls']) chmodSync(path.join(project, name), 0o755);
    symlinkSync('../odir', path.join(project, 'olink'));
    symlinkSync('../outside', path.join(project, 'flink'));
    symlinkSync('src', path.join(project, 'slink'));
    symlinkSync('../outside', path.join(project, '3'));
    symlinkSync('../../odir', path.join(project, 'src/deeplink'));
    makeRepository(project);
  }

  /** Names, kinds, sizes and contents of everything in the sandbox. */
  #state(): string {
    const walk = (folder: string): string[] =>
      readdirSync(folder)
        .sort()
        .flatMap((name) => {
          const place = path.join(folder, name);
          const status = lstatSync(place);
          if (status.isSymbolicLink()) return [`${place} -> ${readlinkSync(place)}`];
          if (status.isDirectory()) return [place, ...walk(place)];
          return [`${place} ${status.mode} ${readFileSync(place, 'latin1')}`];
        });
    return walk(this.root).join('\n');
  }
}

const IDENTITY = [
  '-c',
  'user.name=x',
  '-c',
  'user.email=x@example.org',
  '-c',
  'commit.gpgsign=false',
];

function makeRepository(project: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', [...IDENTITY, ...args], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: project, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    });
  git('init', '-q', '-b', 'main', '--template=');
  git('add', 'a.txt', 'b.json', 'src/b.ts');
  git('commit', '-qm', 'first');
  writeFileSync(path.join(project, 'a.txt'), 'one\ntwo\nthree\nfour\n');
}
