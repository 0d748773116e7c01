import { redactText } from '@robota-sdk/agent-sdk';

/** Error codes, each with its HTTP status. */
const STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_message: 400,
  invalid_session_id: 400,
  invalid_cwd: 400,
  not_supported: 400,
  unknown_agent: 400,
  unknown_target: 400,
  unknown_profile: 400,
  unauthorized: 401,
  forbidden: 403,
  host_not_allowed: 403,
  mode_forbidden: 403,
  origin_not_allowed: 403,
  unknown_route: 404,
  unknown_link: 404,
  unknown_token: 404,
  unknown_folder: 404,
  block_not_found: 404,
  session_not_found: 404,
  unknown_command: 404,
  permission_not_pending: 404,
  question_not_open: 404,
  unknown_block: 404,
  unknown_prompt: 404,
  files_not_restored: 409,
  nothing_to_undo: 409,
  not_in_log: 409,
  rewind_conflict: 409,
  message_id_reused: 409,
  session_ambiguous: 409,
  session_busy: 409,
  session_closed: 409,
  session_exists: 409,
  session_locked: 409,
  session_read_only: 409,
  single_session: 409,
  view_only: 409,
  too_large: 413,
  upgrade_required: 426,
  too_many_attempts: 429,
  internal: 500,
  server_stopping: 503,
} as const;

export type WireErrorCode = keyof typeof STATUS;

/** An error for clients: a code to act on, and a message. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: WireErrorCode;

  constructor(code: WireErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  get status(): (typeof STATUS)[WireErrorCode] {
    return STATUS[this.code];
  }

  toJSON(): { error: { code: string; message: string } } {
    return { error: { code: this.code, message: this.message } };
  }
}

export function sessionNotFound(id: string): WireError {
  return new WireError('session_not_found', withNextStep(`Session not found: ${id}`));
}

/** Adds a hint to the host's bare message. */
function withNextStep(message: string): string {
  const isBare = /^Session not found: \S+$/.test(message);
  return isBare ? `${message}. List the sessions to see which there are.` : message;
}

/** Converts an internal error for clients: known codes are kept, all others become `internal`; messages are redacted. */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const message = redactText(error instanceof Error ? error.message : String(error));
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const known = typeof code === 'string' && Object.hasOwn(STATUS, code);
  const text = code === 'session_not_found' ? withNextStep(message) : message;
  return new WireError(known ? (code as WireErrorCode) : 'internal', text, { cause: error });
}
