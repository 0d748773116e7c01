import type { MessagePart, ToolOutcome } from '@robota-sdk/agent-core';

/** A built-in tool's result for the model; sent as JSON text in `ToolOutcome.data`. */
export interface ToolResult {
  readonly success: boolean;
  readonly output: string;
  readonly error?: string;
  /** 128 + signal number when a signal ended the command, as in shells. */
  readonly exitCode?: number;
  /** Name of the signal that ended the command. */
  readonly signal?: string;
  /** 1-based line of the first change in the old file. */
  readonly startLine?: number;
}

/** A result together with parts that are not text. */
export interface ToolAnswer {
  readonly result: ToolResult;
  readonly parts?: readonly MessagePart[];
  readonly errorCode?: string;
}

export function answered(output: string, facts: Partial<ToolResult> = {}): ToolAnswer {
  return { result: { success: true, output, ...facts } };
}

export function refused(error: string, output = ''): ToolAnswer {
  return { result: { success: false, output, error } };
}

/** The result of an aborted call; `output` is what had arrived by then. */
export function interrupted(toolName: string, output = ''): ToolAnswer {
  const error = `${toolName} was interrupted before it finished`;
  return { result: { success: false, output, error }, errorCode: 'interrupted' };
}

export function toOutcome({ result, parts, errorCode }: ToolAnswer): ToolOutcome {
  return {
    success: result.success,
    data: JSON.stringify(result),
    ...(result.error === undefined ? {} : { error: result.error }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(parts === undefined ? {} : { parts }),
  };
}
