import type { ToolExecutionContext, ToolParameters } from '@robota-sdk/agent-core';
import type { z } from 'zod';
import { FunctionTool, type FunctionToolOptions, InvalidParametersError } from './function-tool.ts';
import { describeZodIssues, zodToJsonSchema } from './zod-schema.ts';

/** Creates a tool from a zod object and a function that gets the parsed parameters. */
export function createZodFunctionTool<Schema extends z.ZodType>(
  name: string,
  description: string,
  zodSchema: Schema,
  run: ZodToolFunction<Schema>,
): FunctionTool {
  return createZodTool({ name, description, zodSchema, run });
}

/** A zod tool's implementation, with parsed parameters. */
export type ZodToolFunction<Schema extends z.ZodType> = (
  parameters: z.output<Schema>,
  context: ToolExecutionContext,
) => unknown;

interface ZodTool<Schema extends z.ZodType> extends FunctionToolOptions {
  readonly name: string;
  readonly description: string;
  readonly zodSchema: Schema;
  readonly run: ZodToolFunction<Schema>;
}

function createZodTool<Schema extends z.ZodType>(tool: ZodTool<Schema>): FunctionTool {
  const { name, description, zodSchema, run } = tool;
  const parameters = zodToJsonSchema(zodSchema);
  const parse = async (given: ToolParameters, context: ToolExecutionContext) => {
    const parsed = await zodSchema.safeParseAsync(given);
    if (!parsed.success) {
      throw new InvalidParametersError(`Zod validation failed: ${describeZodIssues(parsed.error)}`);
    }
    return run(parsed.data, context);
  };
  return new FunctionTool({ name, description, parameters }, parse, { judgesValues: true });
}
