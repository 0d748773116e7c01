import type {
  Tool,
  ToolExecutionContext,
  ToolOutcome,
  ToolParameters,
  ToolSchema,
  ToolTouch,
  ToolTouchContext,
  ToolValidation,
} from '@robota-sdk/agent-core';
import { validateParameters, validationMessage } from './validate-parameters.ts';

/** A function tool's implementation; its return value becomes the outcome's `data`. */
export type ToolFunction = (parameters: ToolParameters, context: ToolExecutionContext) => unknown;

/** Options of a function tool. */
export interface FunctionToolOptions {
  /** The function itself checks sizes and formats; only names and types are checked before it runs. */
  readonly judgesValues?: boolean | undefined;
  /** The paths a call would access, for the permission gate. */
  readonly touches?: (
    parameters: ToolParameters,
    context: ToolTouchContext,
  ) => Promise<readonly ToolTouch[]>;
}

/** A plain function as a tool: parameters are validated first, and a thrown error is a failed outcome. */
export class FunctionTool implements Tool {
  readonly schema: ToolSchema;
  readonly touches?: (
    parameters: ToolParameters,
    context: ToolTouchContext,
  ) => Promise<readonly ToolTouch[]>;
  readonly #run: ToolFunction;
  readonly #judgesValues: boolean;

  constructor(schema: ToolSchema, run: ToolFunction, options: FunctionToolOptions = {}) {
    this.schema = schema;
    this.#run = run;
    this.#judgesValues = options.judgesValues ?? false;
    if (options.touches) this.touches = options.touches;
  }

  async execute(parameters: ToolParameters, context?: ToolExecutionContext): Promise<ToolOutcome> {
    const { isValid, errors } = this.validateParameters(parameters);
    if (!isValid) return invalidArguments(validationMessage(this.schema.name, errors));
    const scope = completeContext(this.schema.name, parameters, context);
    try {
      return { success: true, data: await this.#run(parameters, scope) };
    } catch (error) {
      return failedExecution(this.schema.name, error, scope.signal);
    }
  }

  getName(): string {
    return this.schema.name;
  }

  getDescription(): string {
    return this.schema.description;
  }

  validate(parameters: ToolParameters): boolean {
    return this.validateParameters(parameters).isValid;
  }

  validateParameters(parameters: ToolParameters): ToolValidation {
    const judgesValues = this.#judgesValues;
    return validateParameters(this.schema.parameters, parameters, { judgesValues });
  }
}

/** Thrown by a tool's function for parameters that only it can validate. */
export class InvalidParametersError extends Error {
  override readonly name = 'InvalidParametersError';
}

export function invalidArguments(error: string): ToolOutcome {
  return { success: false, error, errorCode: 'invalid_arguments' };
}

export function failedExecution(
  toolName: string,
  error: unknown,
  signal: AbortSignal,
): ToolOutcome {
  if (error instanceof InvalidParametersError) return invalidArguments(error.message);
  const reason = error instanceof Error ? error.message : String(error);
  return {
    success: false,
    error: `Tool Execution Error (${toolName}): Function tool execution failed: ${reason}`,
    errorCode: signal.aborted ? 'interrupted' : 'execution_failed',
  };
}

/** Completes the context of a call made outside an agent, which cannot be aborted. */
export function completeContext(
  toolName: string,
  parameters: ToolParameters,
  given: Partial<ToolExecutionContext> | undefined,
): ToolExecutionContext {
  const { signal } = new AbortController();
  return { toolName, parameters, executionId: '', signal, ...given };
}
