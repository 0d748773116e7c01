import type { SettingsLayer } from './read-layer.ts';
import type { Settings } from './settings.ts';

/** A project setting that is not applied until the user trusts the directory. */
export interface InactiveSetting {
  readonly file: string;
  /** Dotted, such as `permissions.allow` or `hooks`. */
  readonly field: string;
  readonly value: unknown;
}

/** What an untrusted project may set: texts, and below, rules that only restrict. */
const HARMLESS = ['language', 'autoCompactThreshold', 'statusline'] as const;
const HARMLESS_PERMISSIONS = ['deny', 'ask', 'disableBypassPermissionsMode'] as const;

/** Splits an untrusted layer into what still applies and what does not. */
export function restrictLayer(layer: SettingsLayer): {
  readonly layer: SettingsLayer;
  readonly inactive: readonly InactiveSetting[];
} {
  const { permissions, ...others } = layer.settings;
  // The language becomes part of the prompt, so an untrusted one must not read environment variables.
  const words = others.language?.includes('$ENV:')
    ? HARMLESS.filter((key) => key !== 'language')
    : HARMLESS;
  const inactive = [
    ...inactiveIn(layer.source, '', others, words),
    ...inactiveIn(layer.source, 'permissions.', permissions ?? {}, HARMLESS_PERMISSIONS),
  ];
  const settings: Settings = {
    ...pick(others, words),
    ...(permissions && { permissions: pick(permissions, HARMLESS_PERMISSIONS) }),
  };
  return { layer: { ...layer, settings }, inactive };
}

function inactiveIn(
  file: string,
  prefix: string,
  settings: object,
  harmless: readonly string[],
): InactiveSetting[] {
  return Object.entries(settings)
    .filter(([key, value]) => value !== undefined && !harmless.includes(key))
    .map(([key, value]) => ({ file, field: `${prefix}${key}`, value: value as unknown }));
}

function pick<Shape extends object, Key extends keyof Shape>(
  settings: Shape,
  keys: readonly Key[],
): Partial<Pick<Shape, Key>> {
  return Object.fromEntries(
    keys.filter((key) => settings[key] !== undefined).map((key) => [key, settings[key]]),
  ) as Partial<Pick<Shape, Key>>;
}
