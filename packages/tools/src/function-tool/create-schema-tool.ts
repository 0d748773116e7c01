import type { ToolExecutionContext, ToolParameters, ToolSchema } from '@robota-sdk/agent-core';
import { FunctionTool, InvalidParametersError } from './function-tool.ts';
import type { ParametersOf } from './parameters-of.ts';
import { valueProblem } from './validate-parameters.ts';

/** A tool described by a JSON schema written as a constant. */
export interface SchemaTool<Schema extends ToolSchema['parameters']> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
  readonly run: (parameters: ParametersOf<Schema>, context: ToolExecutionContext) => unknown;
}

/**
 * Creates a tool from a JSON schema and a function that gets parameters of its type, without unlisted names. The
 * validator is loaded with the first call.
 */
export function createSchemaTool<const Schema extends ToolSchema['parameters']>(
  tool: SchemaTool<Schema>,
): FunctionTool {
  const { name, description, parameters, run } = tool;
  const check = (given: ToolParameters, context: ToolExecutionContext) => {
    const problem = valueProblem(parameters, given);
    if (problem !== undefined) throw new InvalidParametersError(problem);
    return run(namedIn(parameters, given) as ParametersOf<Schema>, context);
  };
  return new FunctionTool({ name, description, parameters }, check, { judgesValues: true });
}

interface Described {
  readonly properties?: unknown;
  readonly items?: unknown;
}

/** A validated value without names that its schema does not list, at any depth. */
function namedIn(schema: Described, value: unknown): unknown {
  if (Array.isArray(value)) {
    return schema.items ? value.map((each) => namedIn(schema.items as Described, each)) : value;
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return value;
  const properties = schema.properties as Readonly<Record<string, Described>>;
  const named = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(
    named.map(([name, value]) => [name, namedIn(properties[name] ?? {}, value)]),
  );
}
