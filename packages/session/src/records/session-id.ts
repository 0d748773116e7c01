import { sessionError } from '../session-error.ts';

const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Ids become file names, so they must not be able to leave the directory. */
export function assertSessionId(id: string): void {
  if (typeof id === 'string' && SAFE_ID.test(id)) return;
  throw sessionError(
    'invalid_session_id',
    `Invalid session id ${JSON.stringify(id)}: use 1 to 128 letters, digits, ".", "_" or "-", starting with a letter or digit.`,
  );
}

/** Whether a text is a valid session id. */
export function isSessionId(id: string): boolean {
  return SAFE_ID.test(id);
}
