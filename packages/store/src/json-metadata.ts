import { SessionInputError } from './errors/session-input-error.ts';

/** A deep copy; rejects values that a database could not return unchanged. */
export function copyMetadata(metadata: unknown): Record<string, unknown> {
  if (!isPlainObject(metadata)) throw new SessionInputError('metadata', 'must be a plain object');
  rejectNonJson(metadata, { path: 'metadata', ancestors: new Set() });
  return JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
}

/** Shallow merge: nested objects are replaced, and a key with the value `undefined` is removed. */
export function mergeMetadata(
  current: Record<string, unknown>,
  changes: Record<string, unknown>,
): Record<string, unknown> {
  const copied = copyMetadata(changes);
  const removed = Object.keys(changes).filter((key) => changes[key] === undefined);
  const kept = Object.entries(current).filter(([key]) => !removed.includes(key));
  // fromEntries defines properties, so a key called __proto__ stays an ordinary key.
  return Object.fromEntries([...kept, ...Object.entries(copied)]);
}

interface Place {
  readonly path: string;
  readonly ancestors: ReadonlySet<object>;
}

function rejectNonJson(value: unknown, place: Place): void {
  if (value === null || value === undefined) return;
  if (typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (!Array.isArray(value) && !isPlainObject(value)) {
    throw new SessionInputError(place.path, `is not JSON: ${describeNonJson(value)}`);
  }
  if (place.ancestors.has(value))
    throw new SessionInputError(place.path, 'is not JSON: it contains itself');
  const ancestors = new Set(place.ancestors).add(value);
  for (const [key, child] of Object.entries(value)) {
    rejectNonJson(child, { path: `${place.path}.${key}`, ancestors });
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !hasToJson(value);
}

function hasToJson(value: object): boolean {
  return typeof Reflect.get(value, 'toJSON') === 'function';
}

function describeNonJson(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  return `a ${value.constructor?.name ?? 'object with toJSON'}`;
}
