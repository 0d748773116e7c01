/** Told apart by `code`; otherwise these are plain errors. */
export type SessionErrorCode =
  | 'session_busy'
  | 'session_locked'
  | 'mode_forbidden'
  | 'session_fenced'
  | 'invalid_session_id'
  | 'corrupt_record'
  | 'unknown_prompt'
  | 'nothing_to_undo'
  | 'not_in_log';

/** An error that `code` tells apart. */
export type SessionError = Error & { readonly code: SessionErrorCode };

/** An error with a code that surfaces and callers tell apart. */
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

/** Somebody else became the writer of a session: nothing may be written, nor done, in its name any more. */
export function isFenced(error: unknown): boolean {
  return hasErrorCode(error, 'session_fenced');
}

export function isFileMissing(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR');
}

export function abortError(): DOMException {
  return new DOMException('Aborted', 'AbortError');
}

/** Somebody stopped it; nothing failed. With a signal: only the abort that it tells of. */
export function isAbortError(error: unknown, signal?: AbortSignal): boolean {
  if (signal && !signal.aborted) return false;
  return error instanceof Error && error.name === 'AbortError';
}
