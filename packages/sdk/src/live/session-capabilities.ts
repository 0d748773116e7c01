import type { PermissionMode } from '@robota-sdk/agent-core';

/** What a session cannot do is said before it is tried. */
export interface SessionCapabilities {
  readonly prompt: boolean;
  readonly abort: boolean;
  readonly queue: boolean;
  readonly compact: boolean;
  readonly fork: boolean;
  readonly rename: boolean;
  readonly setModel: boolean;
  /** Modes that can be switched to while it lives. */
  readonly permissionModes: readonly PermissionMode[];
  readonly images: boolean;
  readonly questions: boolean;
  /** Text arrives while it is being said, not only when it has been. */
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

/** Says which ability is missing; `code` is `not_supported`. */
export function notSupported(agent: string, ability: string): Error {
  const error = new Error(`A session of ${agent} cannot ${ability}.`);
  return Object.assign(error, { code: 'not_supported' });
}
