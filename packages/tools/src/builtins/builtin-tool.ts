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
import {
  completeContext,
  failedExecution,
  invalidArguments,
} from '../function-tool/function-tool.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { validateParameters, validationMessage } from '../function-tool/validate-parameters.ts';
import { interrupted, type ToolAnswer, toOutcome } from '../tool-result.ts';

/** The directory, abort signal and grant of a call. */
export interface CallScope {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** The permission gate's decision; undefined without a gate. */
  readonly grant: CallGrant | undefined;
}

export interface BuiltinTool<Schema extends ToolSchema['parameters']> {
  readonly name: string;
  readonly description: string;
  /** The schema shown to the model and used to validate calls: a constant, so that start-up needs no validator. */
  readonly parameters: Schema;
  /** Fixes the working directory; otherwise the call's `cwd` applies, then the process's. */
  readonly cwd?: string | undefined;
  /** Parameters that other programs send and that have no effect here. */
  readonly ignored?: readonly string[];
  run(parameters: ParametersOf<Schema>, scope: CallScope): Promise<ToolAnswer>;
  touches(parameters: ParametersOf<Schema>, cwd: string): Promise<readonly ToolTouch[]>;
}

/** A tool whose every outcome carries the JSON envelope and which accepts both parameter spellings. */
export function builtinTool<Schema extends ToolSchema['parameters']>(
  definition: BuiltinTool<Schema>,
): Tool {
  const { name, description, parameters } = definition;
  const schema = markOwnWords({ name, description, parameters: markOwnWords(parameters) });
  // A model may send `null` where an object belongs.
  const prepare = (given: ToolParameters | null) =>
    withoutIgnored(definition, toOurSpelling(name, given ?? {}));
  return {
    schema,
    getName: () => name,
    getDescription: () => description,
    validate: (given) => validateParameters(parameters, prepare(given)).isValid,
    validateParameters: (given) => validateParameters(parameters, prepare(given)),
    async execute(given, context): Promise<ToolOutcome> {
      const prepared = prepare(given);
      const { errors } = validateParameters(parameters, prepared);
      if (errors.length > 0) return refuseArguments(validationMessage(name, errors));
      const checked = prepared as ParametersOf<Schema>;
      return await runGuarded(definition, checked, completeContext(name, given, context));
    },
    async touches(given, context) {
      const prepared = prepare(given);
      if (!validateParameters(parameters, prepared).isValid) return [];
      const checked = prepared as ParametersOf<Schema>;
      return definition.touches(checked, cwdOf(definition, context.cwd));
    },
  };
}

async function runGuarded<Schema extends ToolSchema['parameters']>(
  definition: BuiltinTool<Schema>,
  parameters: ParametersOf<Schema>,
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
