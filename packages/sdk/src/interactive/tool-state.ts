import type { ToolParameters } from '@robota-sdk/agent-core';
import type { DiffLine } from './line-diff.ts';

/** One tool call as a surface shows it. */
export interface ToolState {
  readonly toolName: string;
  readonly firstArg: string;
  readonly isRunning: boolean;
  readonly result?: 'success' | 'error' | 'denied';
  readonly diffLines?: readonly DiffLine[];
  readonly diffFile?: string;
  /** Tells parallel calls of one tool apart. */
  readonly toolCallId?: string;
  readonly toolResultData?: string;
  readonly errorCode?: string;
  /** Why it was denied, blocked or failed. */
  readonly reason?: string;
}

/** A finished call in the summary of a turn. */
export interface ToolSummary extends ToolState {
  readonly name: string;
  readonly args: string;
}

export function summarizeTool(state: ToolState): ToolSummary {
  return { name: state.toolName, args: state.firstArg, ...state };
}

const MAX_ARGUMENT = 80;

/** The first argument on one line; a long one keeps its two ends. */
export function firstArgumentOf(toolArgs: ToolParameters): string {
  const first = Object.values(toolArgs)[0];
  if (first === undefined || first === null) return '';
  const text = typeof first === 'string' ? first : JSON.stringify(first);
  return text.length > MAX_ARGUMENT ? `${text.slice(0, 47)}...${text.slice(-30)}` : text;
}
