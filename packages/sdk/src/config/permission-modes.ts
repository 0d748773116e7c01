import type { PermissionMode } from '@robota-sdk/agent-core';

/** Every permission mode, the most careful first. */
export const PERMISSION_MODES = [
  'plan',
  'default',
  'acceptEdits',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[];

export function isPermissionMode(value: string): value is PermissionMode {
  return (PERMISSION_MODES as readonly string[]).includes(value);
}

/** Claude Code's further modes that ask where ours ask. */
const ASKING_MODES = ['manual', 'auto', 'dontAsk'];

/** The mode a settings file means, or null for a word nobody knows. */
export function parsePermissionMode(value: string): PermissionMode | null {
  if (ASKING_MODES.includes(value)) return 'default';
  return isPermissionMode(value) ? value : null;
}
