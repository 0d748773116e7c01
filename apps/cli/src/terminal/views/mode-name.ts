import type { PermissionMode } from '@robota-sdk/agent-core';

const MODE_NAMES: Readonly<Record<PermissionMode, string>> = {
  default: 'ask first',
  acceptEdits: 'accept edits',
  plan: 'plan only',
  bypassPermissions: 'never asks',
};

/** A permission mode as people call it. */
export function modeName(mode: PermissionMode): string {
  return MODE_NAMES[mode];
}
