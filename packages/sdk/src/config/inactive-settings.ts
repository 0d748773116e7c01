import type { SettingsLayer } from './read-layer.ts';
import type { Settings } from './settings.ts';

/** Something a project's settings ask for that waits for the user's trust. */
export interface InactiveSetting {
  readonly file: string;
  /** Dotted, such as `permissions.allow` or `hooks`. */
  readonly field: string;
  readonly value: unknown;
}

/** What a project may set without being trusted: rules that only restrict, and words. */
const HARMLESS = ['language', 'autoCompactThreshold', 'statusline'] as const;
const HARMLESS_PERMISSIONS = ['deny', 'ask', 'disableBypassPermissionsMode'] as const;

/** Splits an untrusted layer into what applies all the same and what does not. */
export function restrictLayer(layer: SettingsLayer): {
  readonly layer: SettingsLayer;
  readonly inactive: readonly InactiveSetting[];
} {
  const { permissions, ...others } = layer.settings;
  // The language stands in the prompt, so a stranger's must not pull variables into it.
  const words = others.language?.includes('$ENV:')
    ? HARMLESS.filter((key) => key !== 'language')
    : HARMLESS;
  const inactive = [
    ...dormant(layer.source, '', others, words),
    ...dormant(layer.source, 'permissions.', permissions ?? {}, HARMLESS_PERMISSIONS),
  ];
  const settings: Settings = {
    ...pick(others, words),
    ...(permissions && { permissions: pick(permissions, HARMLESS_PERMISSIONS) }),
  };
  return { layer: { ...layer, settings }, inactive };
}

function dormant(
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
