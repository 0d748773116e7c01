import type { PermissionMode } from '@robota-sdk/agent-core';

/** What a session supports, known before anything is tried. */
export interface SessionCapabilities {
  readonly prompt: boolean;
  readonly abort: boolean;
  readonly queue: boolean;
  readonly compact: boolean;
  readonly fork: boolean;
  readonly rename: boolean;
  readonly setModel: boolean;
  /** Modes it can switch to while open. */
  readonly permissionModes: readonly PermissionMode[];
  readonly images: boolean;
  readonly questions: boolean;
  /** Text arrives in deltas, not only when it is complete. */
  readonly deltas: boolean;
  readonly steer: boolean;
  readonly rewind: boolean;
}

export const VIEW_ONLY: SessionCapabilities = {
  prompt: false,
  abort: false,
  queue: false,
  compact: false,
  fork: false,
  rename: false,
  setModel: false,
  permissionModes: [],
  images: false,
  questions: false,
  deltas: false,
  steer: false,
  rewind: false,
};

/** An error naming the missing ability; `code` is `not_supported`. */
export function notSupported(agent: string, ability: string): Error {
  const error = new Error(`A session of ${agent} cannot ${ability}.`);
  return Object.assign(error, { code: 'not_supported' });
}
