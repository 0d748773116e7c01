import type { ToolCall } from '../messages/message.ts';
import type { Tool, ToolOutcome, ToolParameters } from '../tool.ts';
import { ABANDONED, INTERRUPTED, untilAbandoned } from './abort-grace.ts';
import type { ParsedArguments } from './parse-call-arguments.ts';
import type { Run } from './run.ts';

/** Runs one tool call. Never rejects: any error becomes a failed outcome. */
export async function runToolCall(
  run: Run,
  call: ToolCall,
  { parsed, signal }: { readonly parsed: ParsedArguments; readonly signal: AbortSignal },
): Promise<ToolOutcome> {
  const tool = run.tools.get(call.function.name);
  if (tool === undefined) return unknownTool(run, call.function.name);
  if (!parsed.ok) return invalidArguments(call, parsed.error);
  if (signal.aborted) return INTERRUPTED;

  const problems = validationErrors(tool, parsed.parameters);
  if (problems !== null) return invalidArguments(call, problems);
  const { abortGraceMs: graceMs, clock } = run.limits;
  const work = execute(run, tool, { call, parameters: parsed.parameters, signal });
  const outcome = await untilAbandoned(work, { signal, graceMs, clock });
  return outcome === ABANDONED ? INTERRUPTED : outcome;
}

const MAX_QUOTED_CHARACTERS = 400;

function unknownTool(run: Run, name: string): ToolOutcome {
  const availableTools = run.tools.names;
  const list = availableTools.length === 0 ? 'none' : availableTools.join(', ');
  return {
    success: false,
    error: `Tool "${name}" is not registered, so the tool call was not executed. Available tools: ${list}.`,
    errorCode: 'unknown_tool',
    metadata: { requestedTool: name, availableTools },
  };
}

function invalidArguments(call: ToolCall, problem: string): ToolOutcome {
  const written = call.function.arguments.slice(0, MAX_QUOTED_CHARACTERS);
  return {
    success: false,
    error: `${problem} The tool call was not executed. The arguments were: ${written}`,
    errorCode: 'invalid_arguments',
  };
}

function validationErrors(tool: Tool, parameters: ToolParameters): string | null {
  try {
    const validation = tool.validateParameters?.(parameters);
    if (validation === undefined || validation.isValid) return null;
    return `The arguments do not fit the tool: ${validation.errors.join('; ')}.`;
  } catch (error) {
    return `The arguments could not be checked: ${messageOf(error)}.`;
  }
}

async function execute(
  run: Run,
  tool: Tool,
  {
    call,
    parameters,
    signal,
  }: {
    readonly call: ToolCall;
    readonly parameters: ToolParameters;
    readonly signal: AbortSignal;
  },
): Promise<ToolOutcome> {
  const { cwd, sessionId, ownerPath } = run.limits;
  try {
    const outcome: unknown = await tool.execute(parameters, {
      toolName: call.function.name,
      parameters,
      executionId: call.id,
      signal,
      ownerPath,
      ...(cwd !== undefined && { cwd }),
      ...(sessionId !== undefined && { sessionId }),
    });
    return checkedOutcome(outcome, call.function.name);
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    return { success: false, error: messageOf(error), errorCode: 'tool_error' };
  }
}

/** Checks that the value is an outcome and can be serialised as JSON. */
function checkedOutcome(outcome: unknown, toolName: string): ToolOutcome {
  const success = (outcome as { success?: unknown } | null | undefined)?.success;
  if (typeof success !== 'boolean') {
    throw new Error(`Tool "${toolName}" did not answer with an outcome that says success.`);
  }
  const checked = outcome as ToolOutcome;
  if (typeof checked.data === 'object') JSON.stringify(checked.data);
  return checked;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
