const REFERENCE = /\$ENV:([A-Za-z_][A-Za-z0-9_]*)/g;

export interface Substituted<Value> {
  readonly value: Value;
  /** Variables that are not set; their references stay unchanged. */
  readonly missing: readonly string[];
}

/** Replaces every `$ENV:NAME` in every string of `value`, recursively. */
export function substituteEnvReferences<Value>(
  value: Value,
  env: NodeJS.ProcessEnv = process.env,
): Substituted<Value> {
  const missing = new Set<string>();
  const substitute = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      return inner.replace(REFERENCE, (reference, name: string) => {
        const found = env[name];
        if (found === undefined) missing.add(name);
        return found ?? reference;
      });
    }
    if (Array.isArray(inner)) return inner.map(substitute);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, substitute(item)]));
  };
  return { value: substitute(value) as Value, missing: [...missing] };
}
