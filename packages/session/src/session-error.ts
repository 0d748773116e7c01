/** Told apart by `code`; otherwise these are plain errors. */
export type SessionErrorCode =
  | 'session_busy'
  | 'session_locked'
  | 'invalid_session_id'
  | 'corrupt_record';

export type SessionError = Error & { readonly code: SessionErrorCode };

export function sessionError(
  code: SessionErrorCode,
  message: string,
  options: ErrorOptions = {},
): SessionError {
  return Object.assign(new Error(message, options), { code });
}

/** True for a failed file operation with this `errno` name, such as `ENOENT`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

export function isFileMissing(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR');
}

export function abortError(): DOMException {
  return new DOMException('Aborted', 'AbortError');
}

/** With a signal: only the abort that it tells of. */
export function isAbortError(error: unknown, signal?: AbortSignal): boolean {
  if (signal && !signal.aborted) return false;
  return error instanceof DOMException && error.name === 'AbortError';
}
