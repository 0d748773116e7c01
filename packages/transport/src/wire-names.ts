// Apart from the schemas, so that the client in a browser carries no validator.

/** The WebSocket sub-protocol; browsers offer the token beside it, as `robota.token.<token>`. */
export const PROTOCOL = 'robota.v1';
/** Before a token that a browser offers as a sub-protocol. */
export const TOKEN_PROTOCOL_PREFIX = 'robota.token.';

/** Why the server ends a WebSocket. */
export const CLOSE_CODES = {
  stopping: 1001,
  notAdmitted: 4001,
  sessionClosed: 4004,
  tooSlow: 4008,
} as const;
