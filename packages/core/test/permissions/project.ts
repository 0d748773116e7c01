import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

export interface Project {
  readonly cwd: string;
  readonly outside: string;
}

/** A small project with links that lead out of it, removed when the file's tests are over. */
export function makeProject(): Project {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'robota-permissions-')));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const cwd = path.join(root, 'project');
  const outside = path.join(root, 'outside');
  for (const directory of [path.join(cwd, 'src'), path.join(cwd, 'secrets'), outside]) {
    mkdirSync(directory, { recursive: true });
  }
  for (const file of ['a.txt', '.env', 'src/b.ts', 'secrets/key.pem', '../outside/passwd']) {
    writeFileSync(path.join(cwd, file), 'text\n');
  }
  for (const directory of ['objects', 'refs/heads']) {
    mkdirSync(path.join(cwd, '.git', directory), { recursive: true });
  }
  writeFileSync(path.join(cwd, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(path.join(cwd, '.git/config'), '[core]\n\tbare = false\n');
  symlinkSync(outside, path.join(cwd, 'outlink'));
  symlinkSync(path.join(outside, 'passwd'), path.join(cwd, 'filelink'));
  symlinkSync(path.join(cwd, 'secrets'), path.join(cwd, 'public'));
  symlinkSync(path.join(outside, 'not-there-yet'), path.join(cwd, 'dangling'));
  return { cwd, outside };
}
