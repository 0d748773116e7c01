/** Advice for the user after a failed write, by `errno` name. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'your quota of the disk is used up; free some space',
  EFBIG: 'files must not become larger; raise the limit (ulimit -f)',
  EROFS: 'the disk is read-only; make it writable or set ROBOTA_HOME to a directory that is',
  EACCES:
    'it must not be written to; change its permissions or set ROBOTA_HOME to a directory of yours',
  EPERM:
    'it must not be written to; change its permissions or set ROBOTA_HOME to a directory of yours',
  ENOENT: 'the directory is gone; mount or create it again',
  ENOTDIR: 'a file stands where a directory is needed; move it away',
  EEXIST: 'a file stands where a directory is needed; move it away',
  ENOTCONN: 'the disk is not connected any more; mount it again',
  ESTALE: 'the disk is not connected any more; mount it again',
  EIO: 'the disk fails; check it, or set ROBOTA_HOME to another one',
  EMFILE: 'too many files are open; close other programs or raise the limit (ulimit -n)',
};

/** The `errno` name of a write that failed because of the disk; undefined for any other error. */
export function diskProblemOf(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { readonly code?: unknown };
    if (typeof code === 'string' && code in ADVICE) return code;
  }
  return undefined;
}

/** Why saving failed and what to do about it, as the part of a sentence after a colon. */
export function describeSaveFailure(error: unknown): string {
  const code = diskProblemOf(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  const path = pathOf(error);
  return `${path === undefined ? '' : `${path}: `}${ADVICE[code]} (${code})`;
}

function pathOf(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { path } = at as { readonly path?: unknown };
    if (typeof path === 'string') return path;
  }
  return undefined;
}
