import { parseHooksConfig } from '@robota-sdk/agent-core';
import { substituteEnvReferences } from './env-references.ts';
import { type InactiveSetting, restrictLayer } from './inactive-settings.ts';
import { mergeSettings } from './merge-settings.ts';
import { PERMISSION_MODES, parsePermissionMode } from './permission-modes.ts';
import type { SettingsLayer } from './read-layer.ts';
import type { ResolvedConfig, ResolvedPermissions } from './resolved-config.ts';
import type { ProviderProfile, Settings } from './settings.ts';
import { SettingsError } from './settings-error.ts';
import { readSettingsLayers } from './settings-layers.ts';
import { resolveTrust, type WorkspaceTrust } from './trust.ts';

export interface ResolveSettingsOptions {
  readonly cwd: string;
  readonly trust?: WorkspaceTrust | undefined;
  /** What the command line says: the highest layer. */
  readonly overrides?: Settings | undefined;
}

export interface ResolvedSettings {
  readonly config: ResolvedConfig;
  readonly trusted: boolean;
  /** What the project asks for and does not get until it is trusted. */
  readonly inactive: readonly InactiveSetting[];
  /** The files that were read, highest precedence first. */
  readonly files: readonly string[];
  readonly notices: readonly string[];
}

/** Reads all layers of a directory and says what they mean together. */
export async function resolveSettings(options: ResolveSettingsOptions): Promise<ResolvedSettings> {
  const layers = await readSettingsLayers(options.cwd, options.overrides);
  const gate = await applyTrust(layers, options);
  const { value, missing } = substituteEnvReferences(
    mergeSettings(gate.layers.toReversed().map((layer) => layer.settings)),
  );
  return {
    config: toConfig(value, gate.layers),
    trusted: gate.trusted,
    inactive: gate.inactive,
    files: layers.filter((layer) => layer.scope !== 'invocation').map((layer) => layer.source),
    notices: missing.map((name) => `Settings refer to $ENV:${name}, which is not set.`),
  };
}

/** Asks about trust only where a project file wants something that needs it. */
async function applyTrust(layers: readonly SettingsLayer[], options: ResolveSettingsOptions) {
  const restricted = layers.map((layer) =>
    layer.scope === 'project' ? restrictLayer(layer) : { layer, inactive: [] },
  );
  const inactive = restricted.flatMap((entry) => entry.inactive);
  const isMoot = inactive.length === 0 && typeof options.trust === 'function';
  const trusted = await resolveTrust(options.cwd, isMoot ? undefined : options.trust);
  if (trusted) return { layers, inactive: [], trusted };
  return { layers: restricted.map((entry) => entry.layer), inactive, trusted };
}

function toConfig(settings: Settings, layers: readonly SettingsLayer[]): ResolvedConfig {
  const { permissions, hooks, model, provider, ...others } = settings;
  const mode = permissionModeOf(layers);
  const profile = currentProfile(settings, layers);
  return {
    ...(definedOnly(others) as Omit<ResolvedConfig, 'permissions' | 'hooks' | 'provider'>),
    ...(mode && { permissionMode: mode }),
    ...(profile && { provider: profile }),
    ...(permissions && { permissions: rulesOf(permissions, layers) }),
    ...(hooks && { hooks: hooksOf(hooks, layers) }),
  };
}

function permissionModeOf(layers: readonly SettingsLayer[]) {
  const layer = layers.find((candidate) => candidate.settings.permissions?.defaultMode);
  const written = layer?.settings.permissions?.defaultMode;
  if (!layer || !written) return undefined;
  const mode = parsePermissionMode(written);
  if (mode) return mode;
  throw new SettingsError(`"${written}" is not one of ${PERMISSION_MODES.join(', ')}`, {
    file: layer.source,
    field: 'permissions.defaultMode',
  });
}

function currentProfile(
  settings: Settings,
  layers: readonly SettingsLayer[],
): ProviderProfile | undefined {
  const { currentProvider, providers, provider, model } = settings;
  if (!currentProvider) {
    return provider || model ? { ...provider, ...(model && { model }) } : undefined;
  }
  const profile = providers?.[currentProvider];
  const source = layers.find((layer) => layer.settings.currentProvider)?.source ?? 'settings';
  if (!profile) {
    throw new SettingsError(`"${currentProvider}" was not found in providers`, {
      file: source,
      field: 'currentProvider',
    });
  }
  if (!profile.type) {
    throw new SettingsError('a provider profile needs a type', {
      file: source,
      field: `providers.${currentProvider}.type`,
    });
  }
  return { ...profile, ...(model && { model }) };
}

function rulesOf(
  permissions: NonNullable<Settings['permissions']>,
  layers: readonly SettingsLayer[],
): ResolvedPermissions {
  const { defaultMode: _mode, ...lists } = permissions;
  const sources = layers.toReversed().flatMap((layer) => {
    const { allow = [], deny = [], ask = [] } = layer.settings.permissions ?? {};
    return [...allow, ...deny, ...ask].map((rule) => [rule, layer.source] as const);
  });
  return { ...definedOnly(lists), layers: Object.fromEntries(sources) };
}

/** Parsed per layer for the sake of the error, then as a whole for the values with variables filled in. */
function hooksOf(hooks: NonNullable<Settings['hooks']>, layers: readonly SettingsLayer[]) {
  for (const layer of layers) {
    if (layer.settings.hooks) parseHooksFrom(layer.settings.hooks, layer.source);
  }
  return parseHooksFrom(hooks, 'settings');
}

function parseHooksFrom(hooks: unknown, source: string) {
  try {
    return parseHooksConfig(hooks, source);
  } catch (error) {
    throw new SettingsError((error as Error).message, {
      file: source,
      field: 'hooks',
      cause: error,
    });
  }
}

function definedOnly<Shape extends object>(
  shape: Shape,
): { [Key in keyof Shape]?: NonNullable<Shape[Key]> } {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Shape]?: NonNullable<Shape[Key]>;
  };
}
