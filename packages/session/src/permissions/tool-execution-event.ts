import type { ToolParameters } from '@robota-sdk/agent-core';

/** A tool call for user interfaces; every start is followed by an end. */
export type ToolExecutionEvent = ToolExecutionStart | ToolExecutionEnd;

interface ToolExecutionFields {
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  /** The model's id of this call; start and end share it. */
  readonly toolCallId: string;
}

/** A tool has started. */
export interface ToolExecutionStart extends ToolExecutionFields {
  readonly type: 'start';
}

/** A tool has ended. */
export interface ToolExecutionEnd extends ToolExecutionFields {
  readonly type: 'end';
  readonly success: boolean;
  readonly denied?: boolean;
  readonly errorCode?: string;
  /** Why the tool was not executed or failed. */
  readonly reason?: string;
  /** The serialized result, shortened if too long. */
  readonly toolResultData?: string;
}

/** Called when tools start and end. */
export type ToolExecutionCallback = (event: ToolExecutionEvent) => void;
