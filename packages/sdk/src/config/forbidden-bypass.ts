import { modeForbidden } from '@robota-sdk/agent-session';
import type { SettingsLayer } from './read-layer.ts';
import { readSettingsLayers } from './settings-layers.ts';

/** The highest layer that forbids the mode; any layer may forbid it, none can allow it again. */
export function bypassForbiddenBy(layers: readonly SettingsLayer[]): string | undefined {
  const { source } =
    layers.find(({ settings }) => settings.permissions?.disableBypassPermissionsMode) ?? {};
  return source;
}

/** A mode forbidden for our own engine is forbidden for every agent program it drives too. */
export async function refuseForbiddenBypass(
  permissionMode: string | undefined,
  cwd: string,
): Promise<void> {
  if (permissionMode !== 'bypassPermissions') return;
  const who = bypassForbiddenBy(await readSettingsLayers(cwd));
  if (who !== undefined) throw modeForbidden(who);
}
