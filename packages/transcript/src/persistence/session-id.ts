/** Ids become file names, so the characters are restricted. */
export function assertSavedSessionId(sessionId: string): void {
  if (SESSION_ID.test(sessionId)) return;
  const shown = JSON.stringify(sessionId.slice(0, 60));
  throw Object.assign(
    new Error(
      `${shown} is not a valid session id: use letters, digits, ".", "_" and "-", at most 128`,
    ),
    { code: 'invalid_session_id' },
  );
}

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
