import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const FLAGS = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
};

/**
 * Opens a file, which `append` creates if missing. Refuses a folder, and a pipe or a device instead of waiting for its
 * other end; the error looks like one of the system.
 */
export function openRegularFile(path: string, access: keyof typeof FLAGS): number {
  const file = openSync(path, FLAGS[access] | constants.O_NONBLOCK, 0o600);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  const message = `${path} is not a regular file; rename or remove it`;
  throw Object.assign(new Error(message), { syscall: 'open', path });
}

/** For errors of either kind: what could not be read, and why. */
export function cannotRead(what: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`Cannot read ${what}: ${reason}`, { cause });
}

export function readRegularFile(path: string): Buffer {
  const file = openRegularFile(path, 'read');
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
