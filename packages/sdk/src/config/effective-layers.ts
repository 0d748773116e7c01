import { isConcatenated, isMap } from './merge-settings.ts';
import type { Settings } from './settings.ts';

/** Settings and the file, or the part of the invocation, that they come from. */
export interface SettingsSource {
  /** The file, `command line` or `environment`. */
  readonly source: string;
  readonly settings: Settings;
}

/**
 * What each layer contributes to the merged settings, given and returned highest precedence first: values that a higher
 * layer replaces are left out, and so are layers that contribute nothing.
 */
export function effectiveLayers(layers: readonly SettingsSource[]): SettingsSource[] {
  const higher: object[] = [];
  return layers.flatMap(({ source, settings }) => {
    const own = higher.reduce((rest, layer) => without(rest, layer, ''), { ...settings });
    higher.push(settings);
    return Object.keys(own).length === 0 ? [] : [{ source, settings: own as Settings }];
  });
}

function without(fields: object, higher: object, path: string): object {
  const others: Readonly<Record<string, unknown>> = { ...higher };
  const kept = Object.entries(fields).flatMap(([key, value]: [string, unknown]) => {
    const rest = remaining(value, others[key], path === '' ? key : `${path}.${key}`);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return Object.fromEntries(kept);
}

function remaining(value: unknown, higher: unknown, path: string): unknown {
  if (higher === undefined) return value;
  if (isMap(value) && isMap(higher)) {
    const rest = without(value, higher, path);
    return Object.keys(rest).length === 0 ? undefined : rest;
  }
  if (!Array.isArray(value) || !Array.isArray(higher) || !isConcatenated(path)) return undefined;
  const rest = value.filter((item: unknown) => !higher.includes(item));
  return rest.length === 0 ? undefined : rest;
}
