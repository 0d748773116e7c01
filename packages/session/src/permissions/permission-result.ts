import type { PermissionExplanation, ToolParameters } from '@robota-sdk/agent-core';
import type { TerminalOutput } from '../terminal.ts';

/**
 * What a person answered: yes, no, yes for the whole tool in this session, yes for everything a pattern
 * covers, yes to other parameters than were asked about, or no with words for the model.
 */
export type PermissionResult =
  | boolean
  | 'allow-session'
  | { readonly allow: 'session' | 'project'; readonly pattern: string }
  | { readonly allow: true; readonly input: ToolParameters }
  | { readonly deny: string };

/** What else an approver may want to know. */
export interface PermissionRequest {
  /** Under which the question stands in the log. */
  readonly requestId: string;
  readonly toolCallId: string;
  readonly explanation: PermissionExplanation;
  /** Aborts when the run does: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Says who gave the answer, before it is given. */
  readonly answeredBy: (who: string) => void;
}

/** Decides on calls that the rules leave open. */
export type PermissionHandler = (
  toolName: string,
  toolArgs: ToolParameters,
  request: PermissionRequest,
) => Promise<PermissionResult>;

/** Asks a person at a terminal. */
export type ApprovalPrompt = (
  terminal: TerminalOutput,
  toolName: string,
  toolArgs: ToolParameters,
) => Promise<PermissionResult>;
