import { nearestName } from '@robota-sdk/agent-core';
import { CLAUDE_PERMISSION_SETTINGS, CLAUDE_SETTINGS } from './known-settings.ts';
import type { Settings } from './settings.ts';
import { permissionSettingsSchema, settingsSchema } from './settings-schema.ts';

interface SettingsProblem {
  /** Dotted path; empty for the file itself. */
  readonly field: string;
  readonly problem: string;
}

export interface CheckedSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
}

type Path = readonly PropertyKey[];

/** Validates a settings file; every invalid entry is left out and reported. */
export function checkSettings(value: unknown): CheckedSettings {
  const rest: unknown = withoutNulls(value);
  if (!isMap(rest)) {
    return { settings: {}, problems: [{ field: '', problem: 'is not an object; it is left out' }] };
  }
  const problems = misspelt(rest);
  // Each round removes at least one entry or is the last, so the file's own size bounds the rounds.
  for (;;) {
    const parsed = settingsSchema.safeParse(rest);
    if (parsed.success) return { settings: parsed.data, problems };
    const issues = parsed.error.issues.toSorted((left, right) => compare(right.path, left.path));
    const removed = issues.flatMap((issue) => {
      const path = removeAt(rest, issue.path);
      if (path === undefined) return [];
      return [{ field: path.map(String).join('.'), problem: `${issue.message}; left out` }];
    });
    problems.push(...removed.toReversed());
    if (removed.length === 0) {
      problems.push({ field: '', problem: `${parsed.error.message}; it is left out` });
      return { settings: {}, problems };
    }
  }
}

/** Later list items first, so that removing one does not move the others. */
function compare(left: Path, right: Path): number {
  for (const [index, step] of left.entries()) {
    const other = right[index];
    if (step === other) continue;
    if (typeof step === 'number' && typeof other === 'number') return step - other;
    return String(step) < String(other) ? -1 : 1;
  }
  return left.length - right.length;
}

/** Removes the entry at `path`, or its nearest existing parent; returns the removed path. */
function removeAt(root: object, path: Path): Path | undefined {
  const key = path.at(-1);
  if (key === undefined) return undefined;
  const around = path.slice(0, -1).reduce<unknown>((value, step) => childOf(value, step), root);
  if (typeof around !== 'object' || around === null) return undefined;
  if (!Object.hasOwn(around, key)) return removeAt(root, path.slice(0, -1));
  if (Array.isArray(around)) around.splice(Number(key), 1);
  else Reflect.deleteProperty(around, key);
  return path;
}

function childOf(value: unknown, step: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[step];
}

/** `null` means absent; `__proto__` is never a setting. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => item !== null && key !== '__proto__')
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}

const KNOWN = [...Object.keys(settingsSchema.shape), ...CLAUDE_SETTINGS];
const KNOWN_PERMISSIONS = [
  ...Object.keys(permissionSettingsSchema.shape),
  ...CLAUDE_PERMISSION_SETTINGS,
];

function misspelt(settings: Readonly<Record<string, unknown>>): SettingsProblem[] {
  const { permissions } = settings;
  return [
    ...misspeltIn(settings, '', KNOWN),
    ...(isMap(permissions) ? misspeltIn(permissions, 'permissions.', KNOWN_PERMISSIONS) : []),
  ];
}

function misspeltIn(fields: object, prefix: string, known: readonly string[]): SettingsProblem[] {
  return Object.keys(fields).flatMap((key) => {
    const meant = nearestName(key, known);
    if (meant === undefined || Object.hasOwn(fields, meant)) return [];
    return [{ field: `${prefix}${key}`, problem: `is not a setting; did you mean ${meant}?` }];
  });
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
