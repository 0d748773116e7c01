/**
 * Replaces a value in a native request payload that equals the value at the same place in the log's previous native
 * request; for an array, `length` leading elements are equal and `extra` follows.
 */
export interface NativeRequestReference {
  readonly kind: 'native-request-reference';
  /** Number of the previous request in this log, from 1. */
  readonly request: number;
  readonly length?: number;
  readonly extra?: readonly unknown[];
}

/** Shorter values are written out. */
const REFERENCE_MIN_LENGTH = 256;

/**
 * Remembers the last native request and writes the next one as its difference. Lists are compared element by element
 * with a copy that shares its texts: comparing JSON would walk through every text of the conversation.
 */
export class NativeRequestWriter {
  #count = 0;
  #fields = new Map<string, { json: string } | { elements: readonly unknown[] }>();

  shorten(payload: unknown): unknown {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
    const previous = this.#fields;
    const request = this.#count;
    this.#count += 1;
    this.#fields = new Map();
    const short: Record<string, unknown> = {};
    try {
      for (const [key, value] of Object.entries(payload)) {
        short[key] = Array.isArray(value)
          ? this.#shortenArray(key, value, { previous, request })
          : this.#shortenValue(key, value, { previous, request });
      }
    } catch {
      // A payload that JSON cannot represent is written unchanged, and nothing refers to it.
      this.#fields = new Map();
      return payload;
    }
    return short;
  }

  #shortenArray(key: string, values: readonly unknown[], earlier: EarlierRequest): unknown {
    const known = earlier.previous.get(key);
    const before = known !== undefined && 'elements' in known ? known.elements : [];
    let length = 0;
    while (length < values.length && length < before.length) {
      if (!isSameJson(values[length], before[length])) break;
      length += 1;
    }
    const extra = values.slice(length);
    this.#fields.set(key, { elements: [...before.slice(0, length), ...extra.map(copyOf)] });
    if (length === 0) return values;
    return {
      kind: 'native-request-reference',
      request: earlier.request,
      length,
      ...(extra.length > 0 && { extra }),
    };
  }

  #shortenValue(key: string, value: unknown, earlier: EarlierRequest): unknown {
    const json = JSON.stringify(value);
    if (json === undefined || json.length < REFERENCE_MIN_LENGTH) return value;
    this.#fields.set(key, { json });
    const known = earlier.previous.get(key);
    const isRepeated = known !== undefined && 'json' in known && known.json === json;
    return isRepeated ? { kind: 'native-request-reference', request: earlier.request } : value;
  }
}

interface EarlierRequest {
  readonly previous: ReadonlyMap<string, { json: string } | { elements: readonly unknown[] }>;
  readonly request: number;
}

/** A copy as JSON would make it, unaffected by later changes of the value; texts are shared. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPlain(value)) return JSON.parse(JSON.stringify(value) ?? 'null') as unknown;
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    if (child !== undefined && typeof child !== 'function') copy[key] = copyOf(child);
  }
  return copy;
}

/** Whether `value` has the same JSON as its earlier `copy`. */
function isSameJson(value: unknown, copy: unknown): boolean {
  if (value === copy) return true;
  if (typeof value !== 'object' || value === null || typeof copy !== 'object' || copy === null) {
    return false;
  }
  if (Array.isArray(value)) {
    if (!Array.isArray(copy) || value.length !== copy.length) return false;
    return value.every((child, index) => isSameJson(child, copy[index]));
  }
  if (Array.isArray(copy)) return false;
  if (!isPlain(value)) return JSON.stringify(value) === JSON.stringify(copy);
  return hasSameFields(value as Fields, copy as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

/** Field order matters: a request is restored exactly as it was sent. */
function hasSameFields(value: Fields, copy: Fields): boolean {
  const keys = Object.keys(copy);
  let at = 0;
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined || typeof child === 'function') continue;
    if (key !== keys[at] || !isSameJson(child, copy[key])) return false;
    at += 1;
  }
  return at === keys.length;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isBare = prototype === Object.prototype || prototype === null;
  return isBare && typeof (value as { readonly toJSON?: unknown }).toJSON !== 'function';
}

/** Restores what `NativeRequestWriter` left out. */
export class NativeRequestReader {
  #previous: Readonly<Record<string, unknown>> = {};

  restore(payload: unknown): unknown {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
    const restored: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(payload)) {
      restored[key] = isNativeReference(value) ? this.#resolve(key, value) : value;
    }
    this.#previous = restored;
    return restored;
  }

  #resolve(key: string, reference: NativeRequestReference): unknown {
    const earlier = this.#previous[key];
    if (reference.length === undefined) return earlier ?? reference;
    if (!Array.isArray(earlier)) return reference;
    return [...earlier.slice(0, reference.length), ...(reference.extra ?? [])];
  }
}

function isNativeReference(value: unknown): value is NativeRequestReference {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { readonly kind?: unknown }).kind === 'native-request-reference'
  );
}
