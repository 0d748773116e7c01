/** Codes of the errors that callers distinguish. */
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

/** An error identified by its `code`. */
export type SessionError = Error & { readonly code: SessionErrorCode };

/** Creates an error with a code that callers can check. */
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

/** Another writer took over the session: this process must neither write nor act for it any more. */
export function isFenced(error: unknown): boolean {
  return hasErrorCode(error, 'session_fenced');
}

export function isFileMissing(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR');
}

export function abortError(): DOMException {
  return new DOMException('Aborted', 'AbortError');
}

/** True for a cancellation. With a signal, only if that signal was aborted. */
export function isAbortError(error: unknown, signal?: AbortSignal): boolean {
  if (signal && !signal.aborted) return false;
  return error instanceof Error && error.name === 'AbortError';
}
