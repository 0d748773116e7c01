import { type JsonSchema, kindOf } from './json-schema.ts';

/** The fields of an object in one line; those that may be left out carry a question mark. */
export function fieldsOf(schema: JsonSchema, without: readonly string[] = []): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => fieldsOf(choice, without)).join(' or ');
  const names = Object.entries(schema.properties ?? {}).filter(([name]) => !without.includes(name));
  if (names.length === 0) return schema.properties ? '' : kindOf(schema);
  return names
    .map(([name]) => `\`${name}${schema.required?.includes(name) ? '' : '?'}\``)
    .join(', ');
}
