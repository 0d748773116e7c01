import type { PermissionMode } from '@robota-sdk/agent-core';

/** Every permission mode, the most restrictive first. */
export const PERMISSION_MODES = [
  'plan',
  'default',
  'acceptEdits',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[];

export function isPermissionMode(value: string): value is PermissionMode {
  return (PERMISSION_MODES as readonly string[]).includes(value);
}

/** Additional modes of Claude Code, treated as `default`. */
const ASKING_MODES = ['manual', 'auto', 'dontAsk'];

/** The mode named in a settings file; null when unknown. */
export function parsePermissionMode(value: string): PermissionMode | null {
  if (ASKING_MODES.includes(value)) return 'default';
  return isPermissionMode(value) ? value : null;
}
