import {
  type CallGrant,
  grantOf,
  type Tool,
  type ToolExecutionContext,
  type ToolOutcome,
  type ToolParameters,
  type ToolSchema,
  type ToolTouch,
  toOurSpelling,
} from '@robota-sdk/agent-core';
import { markOwnWords } from '@robota-sdk/agent-core/log';
import type { z } from 'zod';
import {
  completeContext,
  failedExecution,
  invalidArguments,
} from '../function-tool/function-tool.ts';
import { validateParameters, validationMessage } from '../function-tool/validate-parameters.ts';
import { describeZodIssues, zodToJsonSchema } from '../function-tool/zod-schema.ts';
import { interrupted, type ToolAnswer, toOutcome } from '../tool-result.ts';

/** Where a call happens. */
export interface CallScope {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** What the permission gate decided; undefined where there is none. */
  readonly grant: CallGrant | undefined;
}

export interface BuiltinTool<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly parameters: () => Schema;
  /** Fixes the working directory; without it a call's own `cwd` counts, then the process's. */
  readonly cwd?: string | undefined;
  /** Parameters that other programs send and that change nothing here. */
  readonly ignored?: readonly string[];
  run(parameters: z.output<Schema>, scope: CallScope): Promise<ToolAnswer>;
  touches(parameters: z.output<Schema>, cwd: string): Promise<readonly ToolTouch[]>;
}

/** A tool whose every outcome carries the JSON envelope and which accepts both spellings. */
export function builtinTool<Schema extends z.ZodObject>(definition: BuiltinTool<Schema>): Tool {
  const { name, description, parameters: zodSchema } = definition;
  const schema = schemaOf(definition);
  // A model may send `null` where an object belongs.
  const prepare = (given: ToolParameters | null) =>
    withoutIgnored(definition, toOurSpelling(name, given ?? {}));
  return {
    schema,
    getName: () => name,
    getDescription: () => description,
    validate: (given) => validateParameters(schema.parameters, prepare(given)).isValid,
    validateParameters: (given) => validateParameters(schema.parameters, prepare(given)),
    async execute(given, context): Promise<ToolOutcome> {
      const prepared = prepare(given);
      const { errors } = validateParameters(schema.parameters, prepared);
      if (errors.length > 0) return refuseArguments(validationMessage(name, errors));
      const parsed = zodSchema().safeParse(prepared);
      if (parsed.success) {
        return await runGuarded(definition, parsed.data, completeContext(name, given, context));
      }
      return refuseArguments(`Zod validation failed: ${describeZodIssues(parsed.error)}`);
    },
    async touches(given, context) {
      const parsed = zodSchema().safeParse(prepare(given));
      if (!parsed.success) return [];
      return definition.touches(parsed.data, cwdOf(definition, context.cwd));
    },
  };
}

/** What the model is shown; its parameters are worked out when they are first looked at. */
function schemaOf({
  name,
  description,
  parameters,
}: Pick<BuiltinTool<z.ZodObject>, 'name' | 'description' | 'parameters'>): ToolSchema {
  return markOwnWords({
    name,
    description,
    get parameters() {
      return jsonSchemaOf(parameters());
    },
  });
}

const JSON_SCHEMAS = new WeakMap<z.ZodObject, ToolSchema['parameters']>();

function jsonSchemaOf(schema: z.ZodObject): ToolSchema['parameters'] {
  const json = JSON_SCHEMAS.get(schema) ?? markOwnWords(zodToJsonSchema(schema));
  JSON_SCHEMAS.set(schema, json);
  return json;
}

async function runGuarded<Schema extends z.ZodObject>(
  definition: BuiltinTool<Schema>,
  parameters: z.output<Schema>,
  context: ToolExecutionContext,
): Promise<ToolOutcome> {
  const { signal } = context;
  if (signal.aborted) return toOutcome(interrupted(definition.name));
  const scope: CallScope = {
    cwd: cwdOf(definition, context.cwd),
    signal,
    onProgress: context.onProgress ?? (() => undefined),
    grant: grantOf(context),
  };
  try {
    return toOutcome(await definition.run(parameters, scope));
  } catch (error) {
    if (signal.aborted) return toOutcome(interrupted(definition.name));
    return withEnvelope(failedExecution(definition.name, error, signal));
  }
}

function withoutIgnored(
  { ignored = [] }: { readonly ignored?: readonly string[] },
  given: ToolParameters,
): ToolParameters {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !ignored.includes(key)));
}

function cwdOf(definition: { readonly cwd?: string | undefined }, contextCwd?: string): string {
  return definition.cwd ?? contextCwd ?? process.cwd();
}

function refuseArguments(error: string): ToolOutcome {
  return withEnvelope(invalidArguments(error));
}

function withEnvelope(outcome: ToolOutcome): ToolOutcome {
  return { ...outcome, data: JSON.stringify({ success: false, output: '', error: outcome.error }) };
}
