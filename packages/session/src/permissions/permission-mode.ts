import { type PermissionMode, TRUST_TO_MODE } from '@robota-sdk/agent-core';
import { type SessionError, sessionError } from '../session-error.ts';
import type { SessionOptions } from '../session-options.ts';

const MODES = ['plan', 'default', 'acceptEdits', 'bypassPermissions'] as const;

type ModeOptions = Pick<
  SessionOptions,
  'permissionMode' | 'defaultTrustLevel' | 'bypassForbiddenBy'
>;

/** The mode a session starts in. A forbidden one is not an error: the session starts in `default` and reports why. */
export function initialPermissionMode(options: ModeOptions): {
  readonly mode: PermissionMode;
  readonly problem?: string;
} {
  const { permissionMode, defaultTrustLevel, bypassForbiddenBy } = options;
  const trusted = defaultTrustLevel && TRUST_TO_MODE[defaultTrustLevel];
  const asked = permissionMode ?? trusted ?? 'default';
  assertMode(asked);
  if (asked !== 'bypassPermissions' || bypassForbiddenBy === undefined) return { mode: asked };
  const problem = `${sentence(bypassForbiddenBy)} The session starts in the mode default instead.`;
  return { mode: 'default', problem };
}

/** Throws for an unknown mode, and with the code `mode_forbidden` for one that is forbidden. */
export function checkModeSwitch(mode: PermissionMode, { bypassForbiddenBy }: ModeOptions): void {
  assertMode(mode);
  if (mode !== 'bypassPermissions' || bypassForbiddenBy === undefined) return;
  throw modeForbidden(bypassForbiddenBy);
}

/** The error for `bypassPermissions` when `who` forbids it. */
export function modeForbidden(who: string): SessionError {
  return sessionError(
    'mode_forbidden',
    `${sentence(who)} Choose plan, default or acceptEdits, or take that setting out of there.`,
  );
}

function sentence(who: string): string {
  return `The permission mode bypassPermissions is forbidden by permissions.disableBypassPermissionsMode (${who}).`;
}

function assertMode(mode: PermissionMode): void {
  if (MODES.includes(mode)) return;
  throw new TypeError(`Invalid permission mode "${String(mode)}". Valid: ${MODES.join(' | ')}`);
}
