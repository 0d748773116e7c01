import type { PermissionExplanation, ToolParameters } from '@robota-sdk/agent-core';
import type { TerminalOutput } from '../terminal.ts';

/**
 * The user's answer: yes, no, yes for the whole tool in this session, yes for everything a pattern covers, yes with
 * other parameters, or no with a message for the model.
 */
export type PermissionResult =
  | boolean
  | 'allow-session'
  | { readonly allow: 'session' | 'project'; readonly pattern: string }
  | { readonly allow: true; readonly input: ToolParameters }
  | { readonly deny: string };

/** Additional data for approvers. */
export interface PermissionContext {
  /** Id of the question in the log. */
  readonly requestId: string;
  readonly toolCallId: string;
  readonly explanation: PermissionExplanation;
  /** Aborts with the run; the answer is then ignored. */
  readonly signal: AbortSignal;
  /** Reports who answers; call it before answering. */
  readonly answeredBy: (who: string) => void;
}

/** Decides on calls that the rules leave open. */
export type PermissionHandler = (
  toolName: string,
  toolArgs: ToolParameters,
  request: PermissionContext,
) => Promise<PermissionResult>;

/** Asks the user in a terminal. */
export type ApprovalPrompt = (
  terminal: TerminalOutput,
  toolName: string,
  toolArgs: ToolParameters,
) => Promise<PermissionResult>;
