import type { ToolParameters, ToolSchema, ToolValidation } from '@robota-sdk/agent-core';
import { z } from 'zod';
import { describeZodIssues } from './zod-schema.ts';

/** Validates parameters at any depth against the tool's JSON schema; unlisted names are refused. */
export function validateParameters(
  schema: ToolSchema['parameters'],
  given: ToolParameters | null,
  { judgesValues = false }: { readonly judgesValues?: boolean | undefined } = {},
): ToolValidation {
  // A model may send `null` where an object belongs.
  const parameters = given ?? {};
  const parsed = validatorOf(schema).safeParse(parameters);
  const errors = parsed.success
    ? []
    : parsed.error.issues
        .filter(({ code }) => !judgesValues || SHAPE_ISSUES.has(code))
        .flatMap((issue) => describeIssue(issue, parameters));
  return { isValid: errors.length === 0, errors };
}

/** Checks sizes and formats after names and types are valid; returns the problem, or undefined. */
export function valueProblem(
  schema: ToolSchema['parameters'],
  parameters: ToolParameters,
): string | undefined {
  const parsed = validatorOf(schema).safeParse(parameters);
  return parsed.success ? undefined : `Zod validation failed: ${describeZodIssues(parsed.error)}`;
}

export function validationMessage(toolName: string, errors: readonly string[]): string {
  return `Validation Error: Invalid parameters for tool "${toolName}": ${errors.join(', ')}`;
}

/** Issues about names and types, not sizes and formats. */
const SHAPE_ISSUES: ReadonlySet<string | undefined> = new Set([
  'unrecognized_keys',
  'invalid_type',
  'invalid_value',
  'invalid_union',
]);

const VALIDATORS = new WeakMap<ToolSchema['parameters'], z.ZodType>();

/** Created on the first call and cached by schema. */
function validatorOf(schema: ToolSchema['parameters']): z.ZodType {
  const known = VALIDATORS.get(schema);
  if (known) return known;
  const made = makeValidator({
    ...schema,
    additionalProperties: schema.additionalProperties ?? false,
  });
  VALIDATORS.set(schema, made);
  return made;
}

function makeValidator(schema: ToolSchema['parameters']): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    // The schema uses a feature that zod lacks; the tool's own function validates.
    return z.looseObject({});
  }
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue, parameters: ToolParameters): string[] {
  const name = issue.path.map(String).join('.');
  const value = valueAt(parameters, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `Unknown parameter: ${[...issue.path, key].join('.')}`);
    case 'invalid_type':
      if (value === undefined) return [`Missing required parameter: ${name}`];
      return [
        `Invalid type for parameter: ${name} (expected ${nameOf(issue)}, got ${typeName(value)})`,
      ];
    case 'invalid_value':
      if (value === undefined) return [`Missing required parameter: ${name}`];
      return [
        `Invalid value for parameter: ${name} (expected one of ${issue.values.map(String).join(', ')}, got ${String(value)})`,
      ];
    case 'invalid_union':
      if (value === undefined) return [`Missing required parameter: ${name}`];
      return [
        `Invalid type for parameter: ${name} (expected ${alternatives(issue)}, got ${typeName(value)})`,
      ];
    default:
      return [`Invalid value for parameter: ${name} (${issue.message})`];
  }
}

/** zod says `int` and `record` where JSON schema says `integer` and `object`. */
function nameOf({ expected }: { readonly expected: string }): string {
  if (expected === 'int') return 'integer';
  return expected === 'record' ? 'object' : expected;
}

function alternatives({ errors }: { readonly errors: readonly (readonly Issue[])[] }): string {
  const expected = errors.flatMap(([first]) =>
    first?.code === 'invalid_type' ? [nameOf(first)] : [],
  );
  return [...new Set(expected)].join(' or ') || 'another value';
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null
        ? (found as Readonly<Record<PropertyKey, unknown>>)[step]
        : undefined,
    value,
  );
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
