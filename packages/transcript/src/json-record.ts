/** A JSON object whose fields nobody has checked yet. */
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

/** A string that can be an id: an empty one names nothing. */
export function asId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The same fields without those that are `undefined`, so that equal blocks are equal in JSON and in memory. */
export function compact<Fields extends object>(fields: Fields): Compacted<Fields> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) kept[key] = value;
  }
  // Exactly the fields that are not undefined were copied, which is what the type says.
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

/** A field of type `unknown` holds nothing when it is missing, as its type says already. */
type MayBeMissing<Value> = unknown extends Value ? false : undefined extends Value ? true : false;

const EMPTY_RECORD: JsonRecord = {};
