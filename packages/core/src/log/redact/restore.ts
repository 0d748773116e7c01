import type { NamedSecret } from './redactor.ts';

const PLACEHOLDER = /\[REDACTED:[a-z0-9-]+:([a-z0-9]{10})\]/g;

/** Replaces placeholders with their values; one with an unknown id stays. */
export function restoreText(text: string, lookup: (id: string) => string | undefined): string {
  if (!text.includes('[REDACTED:')) return text;
  return text.replace(PLACEHOLDER, (placeholder, id: string) => lookup(id) ?? placeholder);
}

/** Looks up the values behind placeholders. */
export interface RestoreSource {
  lookup(id: string): string | undefined;
  /** Values of secret names, with their paths in `value`. */
  readonly named?: readonly NamedSecret[] | undefined;
}

/** The value that was redacted, as plain data; parts in which nothing was replaced are not copied. */
export function restoreValue<Value>(value: Value, source: RestoreSource): Value {
  let restored = restoreDeep(value, source.lookup);
  for (const { path, value: secret } of source.named ?? []) {
    restored = replaceAt(restored, path, secret);
  }
  // Strings are replaced by strings, and marks by their original values.
  return restored as Value;
}

function restoreDeep(value: unknown, lookup: (id: string) => string | undefined): unknown {
  if (typeof value === 'string') return restoreText(value, lookup);
  if (typeof value !== 'object' || value === null) return value;
  let copy: unknown[] | Record<string, unknown> | undefined;
  for (const [key, before] of Object.entries(value)) {
    const after = restoreDeep(before, lookup);
    if (after === before) continue;
    copy ??= copyOf(value);
    setField(copy, key, after);
  }
  return copy ?? value;
}

/** A missing path is ignored: the value was changed since. */
function replaceAt(value: unknown, path: NamedSecret['path'], secret: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return secret;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  const before = (value as Record<string | number, unknown>)[key];
  const after = replaceAt(before, rest, secret);
  if (after === before) return value;
  const copy = copyOf(value);
  setField(copy, key, after);
  return copy;
}

function copyOf(value: object): unknown[] | Record<string, unknown> {
  return Array.isArray(value) ? [...value] : { ...value };
}

/** Defined, not assigned: a key may be called `__proto__`. */
function setField(target: object, key: string | number, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
