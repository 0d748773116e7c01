/**
 * Stands inside a native request payload for a value that the previous native request of this log had at the
 * same place; an array says how many of its first elements are the same, and what follows.
 */
export interface NativeRequestReference {
  readonly kind: 'native-request-reference';
  /** The number of the earlier request in this log, from 1. */
  readonly request: number;
  readonly length?: number;
  readonly extra?: readonly unknown[];
}

/** Shorter values are written out. */
const REFERENCE_MIN_LENGTH = 256;

/** Remembers the last native request, so that the next one is written as what is new in it. */
export class NativeRequestWriter {
  #count = 0;
  #fields = new Map<string, { json: string } | { elements: readonly string[] }>();

  shorten(payload: unknown): unknown {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
    const previous = this.#fields;
    const request = this.#count;
    this.#count += 1;
    this.#fields = new Map();
    const short: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(payload)) {
      short[key] = Array.isArray(value)
        ? this.#shortenArray(key, value, { previous, request })
        : this.#shortenValue(key, value, { previous, request });
    }
    return short;
  }

  #shortenArray(key: string, values: readonly unknown[], earlier: EarlierRequest): unknown {
    const elements = values.map((value) => JSON.stringify(value) ?? 'null');
    this.#fields.set(key, { elements });
    const known = earlier.previous.get(key);
    if (known === undefined || !('elements' in known)) return values;
    let length = 0;
    while (length < elements.length && elements[length] === known.elements[length]) length += 1;
    if (length === 0) return values;
    const extra = values.slice(length);
    const { request } = earlier;
    return {
      kind: 'native-request-reference',
      request,
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
  readonly previous: ReadonlyMap<string, { json: string } | { elements: readonly string[] }>;
  readonly request: number;
}

/** Puts back what `NativeRequestWriter` left out. */
export class NativeRequestReader {
  #previous: Readonly<Record<string, unknown>> = {};

  restore(payload: unknown): unknown {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload;
    const whole: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(payload)) {
      whole[key] = isNativeReference(value) ? this.#resolve(key, value) : value;
    }
    this.#previous = whole;
    return whole;
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
