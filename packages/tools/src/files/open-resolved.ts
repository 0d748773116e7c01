import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from './resolve-links.ts';

/** With this flag macOS refuses links anywhere in the path; Node has no constant for it. Nothing on other systems. */
export const NO_LINK_ANYWHERE = process.platform === 'darwin' ? 0x2000_0000 : 0;

/**
 * Opens a path whose links are already resolved, without following any: when a folder was replaced by a link meanwhile,
 * the file is not opened.
 */
export async function openResolved(
  real: string,
  flags: number,
  mode?: number,
): Promise<FileHandle> {
  const last = flags | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  if (process.platform === 'darwin') return open(real, last | NO_LINK_ANYWHERE, mode);
  if (!hasDescriptorPaths()) return openAndCheck(real, last, mode);
  const folder = await openResolvedFolder(dirname(real));
  try {
    return await open(within(folder, nameOf(real)), last, mode);
  } finally {
    await folder.close();
  }
}

/** Opens a directory step by step from the root; creates missing steps on request. */
export async function openResolvedFolder(
  real: string,
  { create = false }: { readonly create?: boolean } = {},
): Promise<FileHandle> {
  let folder = await open('/', FOLDER);
  for (const step of real.split('/').filter((each) => each !== '')) {
    const before = folder;
    try {
      folder = await openStep(before, step, create);
    } finally {
      await before.close();
    }
  }
  return folder;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function openStep(folder: FileHandle, step: string, create: boolean): Promise<FileHandle> {
  try {
    return await open(within(folder, step), FOLDER);
  } catch (error) {
    if (!create || !hasCode(error, 'ENOENT')) throw error;
    await mkdir(within(folder, step)).catch((problem: unknown) => {
      if (!hasCode(problem, 'EEXIST')) throw problem;
    });
    return open(within(folder, step), FOLDER);
  }
}

/** A path inside this open directory, even when the directory is renamed. */
export function within(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

let found: boolean | undefined;

/** Whether open directories have paths under /proc/self/fd. */
export function hasDescriptorPaths(): boolean {
  found ??= process.platform === 'linux' && existsSync('/proc/self/fd');
  return found;
}

async function openAndCheck(real: string, flags: number, mode?: number): Promise<FileHandle> {
  const file = await open(real, flags, mode);
  if ((await realpath(real)) === real) return file;
  await file.close();
  throw Object.assign(new Error(`A link appeared on the way to ${real}`), { code: 'ELOOP' });
}

function nameOf(path: string): string {
  return path.slice(dirname(join(path)).length).replace(/^\//, '');
}
