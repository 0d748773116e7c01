/** A JSON object whose fields have not been validated. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : EMPTY_RECORD;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A non-empty string. */
export function asId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Drops fields that are `undefined`, so that equal blocks are equal in JSON and in memory. */
export function compact<Fields extends object>(fields: Fields): Compacted<Fields> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) kept[key] = value;
  }
  // Only fields that are not undefined were copied, as the type states.
  return kept as Compacted<Fields>;
}

type Compacted<Fields> = {
  [Key in keyof Fields as MayBeMissing<Fields[Key]> extends true ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as MayBeMissing<Fields[Key]> extends true ? Key : never]?: Exclude<
    Fields[Key],
    undefined
  >;
};

/** `unknown` includes `undefined`, so such a field stays required. */
type MayBeMissing<Value> = unknown extends Value ? false : undefined extends Value ? true : false;

const EMPTY_RECORD: JsonRecord = {};
