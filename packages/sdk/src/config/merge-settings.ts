import type { Settings } from './settings.ts';

/** Lists that are concatenated across layers instead of replaced. */
const CONCATENATED = new Set([
  'permissions.allow',
  'permissions.deny',
  'permissions.ask',
  'permissions.additionalDirectories',
]);

/** Merges layers, lowest precedence first: maps merge, rule lists and hook groups concatenate, the rest is replaced. */
export function mergeSettings(layers: readonly Settings[]): Settings {
  return layers.reduce<Settings>((merged, layer) => mergeMaps(merged, layer, '') as Settings, {});
}

function mergeMaps(lower: object, higher: object, path: string): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...lower };
  for (const [key, value] of Object.entries(higher)) {
    if (value === undefined) continue;
    merged[key] = mergeValues(merged[key], value, path === '' ? key : `${path}.${key}`);
  }
  return merged;
}

function mergeValues(lower: unknown, higher: unknown, path: string): unknown {
  if (Array.isArray(lower) && Array.isArray(higher) && isConcatenated(path)) {
    return path.startsWith('hooks.') ? [...lower, ...higher] : [...new Set([...lower, ...higher])];
  }
  if (isMap(lower) && isMap(higher)) return mergeMaps(lower, higher, path);
  return higher;
}

/** Whether the lists of all layers at this dotted path apply together. */
export function isConcatenated(path: string): boolean {
  return CONCATENATED.has(path) || /^hooks\.[^.]+$/.test(path);
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
