import { z } from 'zod';

/** The part of JSON schema that the references speak about. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly description?: string;
}

/** What may be written, before anything is turned into something else. */
export function inputSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The kind of value in words: `text`, `list of text`, `"on"` or `"off"`. */
export function kindOf(schema: JsonSchema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(kindOf))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.type === 'array') return `list of ${kindOf(schema.items ?? {})}`;
  if (schema.type === 'object') return schema.properties ? 'object' : mapKind(schema);
  if (schema.type === undefined) return 'anything';
  return [schema.type]
    .flat()
    .map((type) => WORDS[type] ?? type)
    .join(' or ');
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
};

function mapKind({ additionalProperties }: JsonSchema): string {
  const value =
    typeof additionalProperties === 'object' ? kindOf(additionalProperties) : 'anything';
  return value === 'anything' ? 'object' : `map of ${value}`;
}
