import type { ToolParameters } from '@robota-sdk/agent-core';

/** A tool call as a surface shows it: it starts, and whatever happens, it ends. */
export type ToolExecutionEvent = ToolExecutionStart | ToolExecutionEnd;

interface ToolExecutionFields {
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  /** The model's id of this call; start and end share it. */
  readonly toolCallId: string;
}

export interface ToolExecutionStart extends ToolExecutionFields {
  readonly type: 'start';
}

export interface ToolExecutionEnd extends ToolExecutionFields {
  readonly type: 'end';
  readonly success: boolean;
  readonly denied?: boolean;
  readonly errorCode?: string;
  /** Why the tool was not executed or failed. */
  readonly reason?: string;
  /** The serialized result, shortened where it was too long. */
  readonly toolResultData?: string;
}

export type ToolExecutionCallback = (event: ToolExecutionEvent) => void;
