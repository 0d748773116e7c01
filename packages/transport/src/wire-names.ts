// Separate from the schemas, so that the browser client does not bundle a validator.

/** The WebSocket sub-protocol; browsers also offer `robota.token.<token>`. */
export const PROTOCOL = 'robota.v1';
/** Prefix of a token sent as a sub-protocol. */
export const TOKEN_PROTOCOL_PREFIX = 'robota.token.';

/** Why the server closes a WebSocket. */
export const CLOSE_CODES = {
  stopping: 1001,
  notAdmitted: 4001,
  sessionClosed: 4004,
  tooSlow: 4008,
} as const;
