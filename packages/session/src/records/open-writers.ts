import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** A process that has a file open for writing. */
export interface OpenWriter {
  readonly pid: number;
  /** True if the open file was removed or replaced at its path. */
  readonly isOld: boolean;
}

const ACCESS_MODE = 0o3;
const DELETED = ' (deleted)';

/**
 * Finds another process that has `file` open for writing, with or without a lock. Works on Linux only, and not for
 * processes of other users.
 */
export function findOpenWriter(file: string): OpenWriter | undefined {
  if (process.platform !== 'linux') return undefined;
  const path = realPathOf(file);
  for (const name of readdirQuietly('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    for (const descriptor of readdirQuietly(`/proc/${pid}/fd`)) {
      const target = quietly(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`));
      if (target !== path && target !== `${path}${DELETED}`) continue;
      if (mayWrite(pid, descriptor)) return { pid, isOld: target !== path };
    }
  }
  return undefined;
}

function mayWrite(pid: number, descriptor: string): boolean {
  const facts = quietly(() => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8')) ?? '';
  const flags = /^flags:\s*(\d+)/m.exec(facts)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
}

function realPathOf(file: string): string {
  return quietly(() => realpathSync(file)) ?? file;
}

function readdirQuietly(folder: string): string[] {
  return quietly(() => readdirSync(folder)) ?? [];
}

/** Processes may exit meanwhile, and those of other users are not readable. */
function quietly<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
