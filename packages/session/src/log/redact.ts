import { mayHoldSecret, SECRET_PATTERNS } from './secret-patterns.ts';

const REDACTED = '[REDACTED]';

/** Endings of keys whose value is a secret, without separators and in lower case. */
const SECRET_ENDINGS = [
  'apikey',
  'authorization',
  'token',
  'secret',
  'secretkey',
  'password',
  'passwd',
  'passphrase',
  'privatekey',
  'accesskey',
  'credential',
  'credentials',
];

/** Values a provider or a reader needs byte for byte: ids, hashes, signatures, encrypted reasoning. */
const EXEMPT_KEY =
  /^(?:id|.*(?:Id|_id)|sha256|timestamp|event|role|type|state|signature|.*[sS]ignature|encrypted.*|relativePath)$/;

type KeyKind = 'secret' | 'exempt' | 'plain';

/**
 * The one funnel in front of every sink: values of secret-named keys become `[REDACTED]`, secret-shaped text
 * becomes `[REDACTED:<kind>]`. What holds no secret is returned as it was, not copied.
 */
export function redact<Value>(value: Value, redactedValue: string = REDACTED): Value {
  return redactValue(value, redactedValue, 0) as Value;
}

/** Deeper than any honest value; what lies below is hidden rather than let through. */
const MAX_DEPTH = 200;

function redactValue(value: unknown, mark: string, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return mark;
  if (Array.isArray(value)) return redactArray(value, mark, depth);
  if (value instanceof Date) return value;
  return redactObject(value as Record<string, unknown>, mark, depth);
}

function redactArray(values: readonly unknown[], mark: string, depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < values.length; index++) {
    const clean = redactValue(values[index], mark, depth + 1);
    if (clean === values[index]) continue;
    copy ??= [...values];
    copy[index] = clean;
  }
  return copy ?? values;
}

function redactObject(object: Record<string, unknown>, mark: string, depth: number): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key in object) {
    const value = object[key];
    const clean = redactField(key, value, { mark, depth });
    if (clean === value) continue;
    copy ??= { ...object };
    copy[key] = clean;
  }
  return copy ?? object;
}

function redactField(
  key: string,
  value: unknown,
  { mark, depth }: { mark: string; depth: number },
): unknown {
  const kind = keyKind(key);
  if (kind === 'plain') return redactValue(value, mark, depth + 1);
  if (kind === 'exempt') {
    return typeof value === 'object' ? redactValue(value, mark, depth + 1) : value;
  }
  const isSecret =
    typeof value === 'string' ? value !== '' : typeof value !== 'boolean' && value != null;
  return isSecret ? mark : value;
}

const keyKinds = new Map<string, KeyKind>();

function keyKind(key: string): KeyKind {
  const known = keyKinds.get(key);
  if (known) return known;
  const kind = classifyKey(key);
  // Keys can come from tool output, so the memory of them is bounded.
  if (keyKinds.size > 5000) keyKinds.clear();
  keyKinds.set(key, kind);
  return kind;
}

function classifyKey(key: string): KeyKind {
  const bare = key.replace(/[-_\s.]/g, '').toLowerCase();
  if (SECRET_ENDINGS.some((ending) => bare.endsWith(ending))) return 'secret';
  return EXEMPT_KEY.test(key) ? 'exempt' : 'plain';
}

/** The shortest secret any pattern knows is longer than this. */
const SHORTEST_SECRET = 10;

export function redactText(text: string): string {
  if (text.length < SHORTEST_SECRET || !mayHoldSecret(text)) return text;
  let clean = text;
  for (const { kind, shape, keep } of SECRET_PATTERNS) {
    clean = keep ? clean.replace(shape, keep) : clean.replace(shape, `[REDACTED:${kind}]`);
  }
  return clean;
}
