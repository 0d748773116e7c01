import { isCounter, type NameKind, nameKind } from './secret-names.ts';

export interface ValueRedaction {
  redactText(text: string): string;
  /** Returns the replacement for the value of a secret name. Without it, names are not checked. */
  hide?(value: unknown, path: readonly (string | number)[]): string;
}

const CIRCULAR = '[Circular]';
const REPEATED = '[Repeated]';
const UNREADABLE = '[Unreadable]';
const TOO_DEEP = '[Too deep]';

/** Deeper than any real value; anything below is dropped rather than passed through. */
const MAX_DEPTH = 200;
/** Up to this many objects, repeated ones are not tracked. */
const UNWATCHED_OBJECTS = 5_000;
/** Repeated objects are written again, as JSON does, up to this limit. */
const MAX_REPEATED_OBJECTS = 100_000;

/**
 * The redacted value: values of secret names are hidden, secrets in text replaced. A value without secrets is returned
 * as it is, and nothing is changed in place. What JSON cannot represent becomes plain data: cycles, bigints, maps,
 * sets, headers, errors.
 */
export function redactDeep(value: unknown, redaction: ValueRedaction): unknown {
  return new ValueWalk(redaction).any(value);
}

/** The value as plain JSON data, secrets included. */
export function toPlainValue(value: unknown): unknown {
  return redactDeep(value, { redactText: (text) => text });
}

const OWN_WORDS = new WeakSet<object>();

/**
 * Marks a value as written by the program's authors: it is frozen, contains no secret and is not scanned. Only for
 * constants: never for data from a user, model, file or server.
 */
export function markOwnWords<Value extends object>(value: Value): Value {
  freezeAll(value);
  OWN_WORDS.add(value);
  return value;
}

function freezeAll(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  // What a getter gives is worked out later; its maker freezes that.
  for (const { value: held } of Object.values(Object.getOwnPropertyDescriptors(value))) {
    freezeAll(held);
  }
}

class ValueWalk {
  readonly #redaction: ValueRedaction;
  readonly #readsNames: boolean;
  readonly #path: (string | number)[] = [];
  readonly #ancestors: object[] = [];
  readonly #seen = new Set<object>();
  #objects = 0;
  #repeated = 0;
  #insideRepeated = 0;

  constructor(redaction: ValueRedaction) {
    this.#redaction = redaction;
    this.#readsNames = redaction.hide !== undefined;
  }

  any(value: unknown): unknown {
    if (typeof value === 'string') return this.#redaction.redactText(value);
    if (typeof value === 'object' && value !== null) {
      return OWN_WORDS.has(value) ? value : this.#object(value);
    }
    return typeof value === 'bigint' ? String(value) : value;
  }

  #object(value: object): unknown {
    if (this.#ancestors.includes(value)) return CIRCULAR;
    if (this.#ancestors.length >= MAX_DEPTH) return TOO_DEEP;
    const isRepeated = this.#isRepeated(value);
    if (isRepeated) this.#insideRepeated++;
    if (this.#insideRepeated > 0 && ++this.#repeated > MAX_REPEATED_OBJECTS) {
      if (isRepeated) this.#insideRepeated--;
      return REPEATED;
    }
    const depth = this.#path.length;
    this.#ancestors.push(value);
    try {
      return this.#contents(value);
    } catch {
      // A getter, a proxy or a toJSON of somebody else failed; what it hides cannot be judged.
      this.#path.length = depth;
      return UNREADABLE;
    } finally {
      this.#ancestors.pop();
      if (isRepeated) this.#insideRepeated--;
    }
  }

  #isRepeated(value: object): boolean {
    if (++this.#objects <= UNWATCHED_OBJECTS) return false;
    if (this.#seen.has(value)) return true;
    this.#seen.add(value);
    return false;
  }

  #contents(value: object): unknown {
    if (Array.isArray(value)) return this.#list(value);
    const toJson = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson === 'function') {
      if (value instanceof Date && toJson === Date.prototype.toJSON) return value;
      const key = this.#path.at(-1);
      const json: unknown = toJson.call(value, key === undefined ? '' : String(key));
      return json === value ? this.#record(value) : this.any(json);
    }
    return Object.getPrototypeOf(value) === Object.prototype
      ? this.#record(value)
      : this.#instance(value);
  }

  #instance(value: object): unknown {
    if (value instanceof Map || value instanceof Set || isHeaders(value)) {
      return this.#list([...value]);
    }
    if (value instanceof Error) return this.#record(plainError(value));
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
    return this.#record(value);
  }

  #list(values: readonly unknown[]): unknown {
    const isPair = this.#readsNames && isSecretPair(values);
    const isFlat = this.#path.at(-1) === 'rawHeaders';
    let copy: unknown[] | undefined;
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      this.#path.push(index);
      const isHidden =
        this.#readsNames &&
        typeof value === 'string' &&
        index > 0 &&
        ((isPair && index === 1) || followsSecretName(values, index, isFlat));
      const clean = isHidden ? this.#hidden(value) : this.any(value);
      this.#path.pop();
      if (clean === value) continue;
      copy ??= [...values];
      copy[index] = clean;
    }
    return copy ?? values;
  }

  #record(object: object): unknown {
    const fields = object as Record<string, unknown>;
    const isNamed = this.#readsNames && isNamedValue(fields);
    const isBinary = isBinaryContent(fields);
    let copy: Record<string, unknown> | undefined;
    for (const key in fields) {
      const value = fields[key];
      if (isBinary && key === 'data') continue;
      this.#path.push(key);
      const clean = isNamed && key === 'value' ? this.#secret(key, value) : this.#field(key, value);
      this.#path.pop();
      if (clean === value || !Object.hasOwn(fields, key)) continue;
      copy ??= { ...fields };
      copy[key] = clean;
    }
    return copy ?? object;
  }

  #field(key: string, value: unknown): unknown {
    if (!this.#readsNames) return this.any(value);
    if (typeof value === 'number' || typeof value === 'boolean') {
      return typeof value === 'number' && isSecretNumber(key) ? this.#hidden(value) : value;
    }
    const kind = nameKind(key);
    if (kind === 'plain') return this.any(value);
    if (kind === 'exempt') return typeof value === 'object' ? this.any(value) : value;
    return this.#secret(key, value, kind);
  }

  #secret(key: string, value: unknown, kind: NameKind = 'secret'): unknown {
    if (typeof value === 'object' && value !== null) return this.#secretObject(key, value, kind);
    if (typeof value !== 'string') return typeof value === 'bigint' ? this.#hidden(value) : value;
    if (value === '') return value;
    if (kind === 'weak' && key.toLowerCase() !== 'auth') return this.any(value);
    if (kind === 'plural' && /^[\d.,_\s]+$/.test(value)) return value;
    return isDirectory(key, value) ? value : this.#hidden(value);
  }

  /** Under a plural the strings are secrets; under a singular the whole is one, unless it describes a parameter. */
  #secretObject(key: string, value: object, kind: NameKind): unknown {
    if (kind === 'weak' && key.toLowerCase() !== 'auth') return this.any(value);
    if (isSchema(value)) return this.any(value);
    if (kind !== 'plural' || /credentials$/i.test(key)) return this.#hidden(value);
    return this.#strings(value);
  }

  #strings(value: unknown): unknown {
    if (typeof value === 'string') return value === '' ? value : this.#hidden(value);
    if (typeof value !== 'object' || value === null) return this.any(value);
    if (this.#ancestors.includes(value)) return CIRCULAR;
    if (this.#ancestors.length >= MAX_DEPTH) return TOO_DEEP;
    const fields = value as Record<string, unknown>;
    let copy: Record<string, unknown> | undefined;
    this.#ancestors.push(value);
    for (const key of Object.keys(fields)) {
      this.#path.push(Array.isArray(value) ? Number(key) : key);
      const clean = this.#strings(fields[key]);
      this.#path.pop();
      if (clean === fields[key]) continue;
      copy ??= (Array.isArray(value) ? [...value] : { ...fields }) as Record<string, unknown>;
      copy[key] = clean;
    }
    this.#ancestors.pop();
    return copy ?? value;
  }

  /** Already hidden values stay as they are. */
  #hidden(value: unknown): unknown {
    if (typeof value === 'string' && value.startsWith('[REDACTED')) return value;
    return this.#redaction.hide?.(value, this.#path);
  }
}

/** A number is a secret under names such as `password` and `pin`, not under names that count. */
function isSecretNumber(key: string): boolean {
  return nameKind(key) === 'secret' && !isCounter(key);
}

/** `['authorization', 'Bearer …']`, but not a list of two names. */
function isSecretPair(values: readonly unknown[]): boolean {
  const [name, value] = values;
  if (values.length !== 2 || typeof name !== 'string' || typeof value !== 'string') return false;
  return name.length <= 100 && isSecretName(name) && !isSecretName(value);
}

function isSecretName(text: string): boolean {
  const kind = nameKind(text);
  return kind === 'secret' || kind === 'plural';
}

/** `['--token', '…']` of a command line, and names and values in turn as Node gives raw headers. */
function followsSecretName(values: readonly unknown[], index: number, isFlat: boolean): boolean {
  const before = values[index - 1];
  if (typeof before !== 'string' || before.length > 100) return false;
  const isName = isFlat ? index % 2 === 1 : /^--?[A-Za-z][\w-]*$/.test(before);
  return isName && isSecretName(before);
}

/** Fields that describe the other fields of an object. */
interface DescriptiveFields {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly key?: unknown;
  readonly value?: unknown;
  readonly data?: unknown;
  readonly media_type?: unknown;
  readonly mediaType?: unknown;
  readonly mimeType?: unknown;
  readonly mime_type?: unknown;
}

/** `{ name: 'DB_PASSWORD', value: '…' }`. */
function isNamedValue({ name, key, value }: DescriptiveFields): boolean {
  if (typeof value !== 'string') return false;
  const called = name ?? key;
  return typeof called === 'string' && called.length <= 100 && isSecretName(called);
}

/** Images, and reasoning that only its vendor can read: not text, however long. */
function isBinaryContent(fields: DescriptiveFields): boolean {
  if (typeof fields.data !== 'string') return false;
  if (fields.type === 'redacted_thinking' || fields.type === 'reasoning.encrypted') return true;
  const media = fields.media_type ?? fields.mediaType ?? fields.mimeType ?? fields.mime_type;
  return typeof media === 'string' && /^(?:image|audio|video)\/|^application\/pdf$/.test(media);
}

/** `PWD` is a directory where a shell sets it. */
function isDirectory(key: string, value: string): boolean {
  return /pwd$/i.test(key) && /^(?:[/~]|[A-Za-z]:\\)/.test(value);
}

/** The JSON Schema of a parameter whose name is secret says nothing secret. */
function isSchema(value: object): boolean {
  const { type, $ref, anyOf, oneOf, allOf } = value as Record<string, unknown>;
  if (typeof $ref === 'string' || [anyOf, oneOf, allOf].some(Array.isArray)) return true;
  return (
    typeof type === 'string' && /^(?:string|number|integer|boolean|object|array|null)$/.test(type)
  );
}

/** What JSON would leave out of an error, and whatever else it carries. */
function plainError(error: Error): object {
  const { name, message, stack, cause } = error;
  return { ...error, name, message, stack, ...(cause !== undefined && { cause }) };
}

/** By its tag, because naming the global would load Node's whole web client. */
function isHeaders(value: object): value is Iterable<readonly [string, string]> {
  return Object.prototype.toString.call(value) === '[object Headers]' && Symbol.iterator in value;
}
