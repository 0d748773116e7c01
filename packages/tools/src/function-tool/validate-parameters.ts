import type { ToolParameters, ToolSchema, ToolValidation } from '@robota-sdk/agent-core';

/** Checks presence, names, types and enumerations of the top level against the tool's JSON schema. */
export function validateParameters(
  schema: ToolSchema['parameters'],
  given: ToolParameters | null,
): ToolValidation {
  // A model may send `null` where an object belongs.
  const parameters = given ?? {};
  const errors = [
    ...missingParameters(schema, parameters),
    ...unknownParameters(schema, parameters),
    ...mistypedParameters(schema, parameters),
  ];
  return { isValid: errors.length === 0, errors };
}

export function validationMessage(toolName: string, errors: readonly string[]): string {
  return `Validation Error: Invalid parameters for tool "${toolName}": ${errors.join(', ')}`;
}

function missingParameters(schema: ToolSchema['parameters'], parameters: ToolParameters): string[] {
  return (schema.required ?? [])
    .filter((name) => parameters[name] === undefined)
    .map((name) => `Missing required parameter: ${name}`);
}

function unknownParameters(schema: ToolSchema['parameters'], parameters: ToolParameters): string[] {
  const takesMore =
    schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  if (takesMore) return [];
  return Object.keys(parameters)
    .filter((name) => !Object.hasOwn(schema.properties, name))
    .map((name) => `Unknown parameter: ${name}`);
}

function mistypedParameters(
  schema: ToolSchema['parameters'],
  parameters: ToolParameters,
): string[] {
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const value = parameters[name];
    if (value === undefined || !isRecord(property)) return [];
    return [...typeErrors(name, property, value), ...enumErrors(name, property, value)];
  });
}

function typeErrors(name: string, property: Record<string, unknown>, value: unknown): string[] {
  const declared = [property.type].flat().filter((type) => typeof type === 'string');
  if (declared.length === 0 || declared.some((type) => isOfType(value, type))) return [];
  return [
    `Invalid type for parameter: ${name} (expected ${declared.join(' or ')}, got ${typeName(value)})`,
  ];
}

function enumErrors(name: string, property: Record<string, unknown>, value: unknown): string[] {
  if (!Array.isArray(property.enum) || property.enum.includes(value)) return [];
  return [
    `Invalid value for parameter: ${name} (expected one of ${property.enum.join(', ')}, got ${String(value)})`,
  ];
}

function isOfType(value: unknown, type: string): boolean {
  const actual = typeName(value);
  if (type === 'integer') return Number.isInteger(value);
  return actual === type;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
