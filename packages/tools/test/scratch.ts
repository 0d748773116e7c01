import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A new folder with these files, removed after the test file. */
export async function scratch(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'robota-tools-')));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

const pipeMaker = 'mkfifo';

/** A pipe without a writer. */
export function makePipe(path: string): void {
  execFileSync(pipeMaker, [path]);
}
