import type { z } from 'zod';

/** The schema of a structured answer: a zod schema, or a JSON Schema as plain data. */
export type ObjectSchema = z.ZodType | JsonSchema;

/** A JSON Schema; the answer has the type `unknown`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The type of an answer that conforms to `Schema`. */
export type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;

/** A schema as text for a model, with a check for its answers. */
export interface PreparedSchema {
  /** JSON Schema, as text for the model. */
  readonly text: string;
  check(value: unknown): Promise<CheckedValue>;
}

/** The value as parsed by the schema, or its problems. */
export type CheckedValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: string };

/** Throws when `schema` is neither a zod schema nor a JSON Schema that zod can check. */
export async function prepareSchema(schema: ObjectSchema): Promise<PreparedSchema> {
  const { z: zod } = await import('zod');
  const isZod = typeof (schema as Partial<z.ZodType>)?.safeParseAsync === 'function';
  const checker = isZod ? (schema as z.ZodType) : fromJsonSchema(schema as JsonSchema, zod);
  const shown = isZod ? zod.toJSONSchema(checker, { unrepresentable: 'any' }) : schema;
  return {
    text: JSON.stringify(shown),
    async check(value) {
      const parsed = await checker.safeParseAsync(value);
      if (parsed.success) return { ok: true, value: parsed.data };
      return { ok: false, problems: zod.prettifyError(parsed.error) };
    },
  };
}

function fromJsonSchema(schema: JsonSchema, zod: typeof z): z.ZodType {
  try {
    if (typeof schema !== 'object' || schema === null) throw new TypeError('it is no object');
    return zod.fromJSONSchema(schema as Parameters<typeof zod.fromJSONSchema>[0]);
  } catch (error) {
    throw Object.assign(
      new TypeError(
        `The schema of a structured answer must be a zod schema or a JSON schema: ${(error as Error).message}.`,
        { cause: error },
      ),
      { code: 'invalid_schema' },
    );
  }
}
