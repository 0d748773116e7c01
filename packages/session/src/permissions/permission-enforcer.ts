import {
  type CallGrant,
  type PermissionExplanation,
  type PermissionLists,
  type PermissionMode,
  type Tool,
  type ToolCallJudgement,
  type ToolExecutionContext,
  type ToolOutcome,
  type ToolParameters,
  toOurSpelling,
  withGrant,
} from '@robota-sdk/agent-core';
import type { DeniedBy } from '@robota-sdk/agent-core/log';
import { type LifecycleHooks, noHooks } from '../lifecycle-hooks.ts';
import type { SessionLogData } from '../log/session-logger.ts';
import { Approvals, type ApprovalsOptions } from './approvals.ts';
import { guardedTool } from './guarded-tool.ts';
import { withHookFeedback } from './hook-feedback.ts';
import type { PermissionResult } from './permission-result.ts';
import { SessionGrants } from './session-grants.ts';
import type { ToolExecutionCallback, ToolExecutionEnd } from './tool-execution-event.ts';
import { truncateOutput } from './truncate-output.ts';

export interface PermissionEnforcerOptions extends ApprovalsOptions {
  /** Called for every tool call; `default` when left out. */
  readonly getPermissionMode?: (() => PermissionMode) | undefined;
  readonly getPermissions?: (() => PermissionLists) | undefined;
  readonly hooks?: LifecycleHooks | undefined;
  readonly onToolExecution?: ToolExecutionCallback | undefined;
  readonly onProjectGrant?: ((pattern: string) => void) | undefined;
  /** Called when a hook stops the whole run. */
  readonly onStop?: ((reason: string) => void) | undefined;
}

/** A call that is being checked. */
interface GuardedCall {
  readonly tool: Tool;
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  readonly context: ToolExecutionContext;
  /** Typed by the user, who is not asked again unless a rule requires it. */
  readonly isTyped?: boolean;
}

/** How an allowed call is run. */
interface AdmittedCall {
  readonly grant: CallGrant;
  readonly toolArgs: ToolParameters;
}

interface RefusedCall {
  readonly deny: string;
  readonly by: DeniedBy;
}

interface UpdatedCall {
  readonly input: ToolParameters;
}

const REFUSED: RefusedCall = { deny: '', by: 'person' };
const DENIED = 'Permission denied. The user did not approve this action.';
const INTERRUPTED: ToolOutcome = {
  success: false,
  error: 'Execution interrupted by user',
  errorCode: 'interrupted',
};
const NEVER_ABORTED = new AbortController().signal;

/** Decides whether a tool may run, asks the user if needed, and turns every outcome into a result. */
export class PermissionEnforcer {
  readonly #options: PermissionEnforcerOptions;
  readonly #approvals: Approvals;
  readonly #hooks: LifecycleHooks;
  readonly #grants = new SessionGrants();
  readonly #tools = new Map<string, Tool>();

  constructor(options: PermissionEnforcerOptions) {
    this.#options = options;
    this.#approvals = new Approvals(options);
    this.#hooks = options.hooks ?? noHooks();
  }

  wrapTools(tools: readonly Tool[]): Tool[] {
    return tools.map((tool) => this.wrapToolWithPermission(tool));
  }

  /** The tool with permission checks; executing it never rejects. */
  wrapToolWithPermission(tool: Tool): Tool {
    this.#tools.set(tool.schema.name, tool);
    const execute = (parameters: ToolParameters, context: ToolExecutionContext) =>
      this.#execute({ tool, toolName: tool.schema.name, toolArgs: parameters, context });
    return guardedTool(tool, execute);
  }

  /**
   * Runs a call the user typed. Rules and hooks apply; plan mode does not, and if only the mode would ask, typing
   * counts as approval.
   */
  async executeTyped(
    toolName: string,
    toolArgs: ToolParameters,
    context: ToolExecutionContext,
  ): Promise<ToolOutcome> {
    const tool = this.#tools.get(toolName);
    if (tool) return this.#execute({ tool, toolName, toolArgs, context, isTyped: true });
    return {
      success: false,
      error: `This session has no ${toolName} tool.`,
      errorCode: 'unknown_tool',
    };
  }

  /** True when the call may run: by rule, by an earlier grant, or by the user's answer. */
  async checkPermission(toolName: string, toolArgs: ToolParameters): Promise<boolean> {
    const { explanation } = await this.#judge({ toolName, toolArgs });
    if (explanation.decision !== 'approve') return explanation.decision === 'auto';
    const call = { toolName, toolArgs, toolCallId: '', signal: NEVER_ABORTED };
    const answer = await this.#askPerson(call, explanation);
    return answer === undefined || (typeof answer === 'object' && 'input' in answer);
  }

  getSessionAllowedTools(): string[] {
    return this.#grants.list();
  }

  clearSessionAllowedTools(): void {
    this.#grants.clear();
  }

  /** False if there was no such grant. */
  revokeSessionGrant(grant: string): boolean {
    return this.#grants.revoke(grant);
  }

  async #execute(call: GuardedCall): Promise<ToolOutcome> {
    const reported: ReportedCall = { isStarted: false };
    let outcome: ToolOutcome;
    try {
      outcome = await this.#guard(call, reported);
    } catch (error) {
      outcome = { success: false, error: messageOf(error), errorCode: 'tool_error' };
    }
    // After an abort the result counts as interrupted, unless a hook that stopped the run blocked the call.
    if (isAborted(call) && !outcome.success && outcome.errorCode !== 'blocked') {
      outcome = INTERRUPTED;
    }
    this.#reportEnd(call, outcome, reported);
    return outcome;
  }

  async #guard(call: GuardedCall, reported: ReportedCall): Promise<ToolOutcome> {
    const { toolName, toolArgs: given, context } = call;
    const before = await this.#hooks.fire(
      'PreToolUse',
      { tool_name: toolName, tool_input: given, tool_use_id: context.executionId },
      context.signal,
    );
    const updated = { ...call, toolArgs: before.updatedInput ?? given };
    reported.toolArgs = updated.toolArgs;
    if (before.stop) this.#options.onStop?.(before.stop.reason);
    if (before.blocked || before.permissionDecision === 'deny') {
      const reason = before.reason ?? before.permissionDecisionReason ?? 'no reason given';
      this.#log('tool_blocked', { tool: toolName, toolCallId: context.executionId, reason });
      return blocked(reason);
    }
    const admitted = await this.#admit(updated, before.permissionDecision);
    if ('success' in admitted) return admitted;
    const approved = { ...updated, toolArgs: admitted.toolArgs };
    reported.toolArgs = approved.toolArgs;
    await this.#begin(approved, reported);
    if (isAborted(call)) return INTERRUPTED;
    const outcome = await this.#run(approved, admitted.grant);
    return isAborted(call) ? outcome : await this.#afterwards(approved, outcome);
  }

  /** Logged before the tool runs: a call without this entry certainly did not run. */
  async #begin(call: GuardedCall, reported: ReportedCall): Promise<void> {
    const { toolName, toolArgs, context } = call;
    const toolCallId = context.executionId;
    await this.#options.log?.('tool_call', { tool: toolName, toolCallId, input: toolArgs });
    reported.isStarted = true;
    this.#options.onToolExecution?.({ type: 'start', toolName, toolArgs, toolCallId });
  }

  /** The outcome of a refused call, or how an allowed call runs. */
  async #admit(
    call: GuardedCall,
    hookDecision: 'allow' | 'deny' | 'ask' | 'defer' | undefined,
  ): Promise<ToolOutcome | AdmittedCall> {
    const { toolName, toolArgs, context } = call;
    const { explanation, grant } = await this.#judge(call);
    if (explanation.decision === 'deny') return this.#denyBy(call, explanation);
    if (hookDecision === 'allow') return { grant, toolArgs };
    if (hookDecision !== 'ask' && explanation.decision === 'auto') return { grant, toolArgs };
    if (hookDecision !== 'ask' && call.isTyped && explanation.rule === undefined) {
      return { grant: { ...grant, run: undefined }, toolArgs };
    }
    const request = { toolName, toolArgs, toolCallId: context.executionId, signal: context.signal };
    const answer = await this.#askPerson(request, explanation);
    // The user approved the text as given, so exactly that is run.
    if (answer === undefined) return { grant: { ...grant, run: undefined }, toolArgs };
    if (answer === 'interrupted') return INTERRUPTED;
    return 'deny' in answer ? this.#deny(call, answer) : this.#admitOther(call, answer);
  }

  /** Parameters that the approver replaced run as written, unless a rule denies them. */
  async #admitOther(
    call: GuardedCall,
    { input }: UpdatedCall,
  ): Promise<ToolOutcome | AdmittedCall> {
    const toolArgs = toOurSpelling(call.toolName, input);
    const { explanation, grant } = await this.#judge({ ...call, toolArgs });
    if (explanation.decision === 'deny') return this.#denyBy(call, explanation);
    return { grant: { ...grant, run: undefined }, toolArgs };
  }

  async #judge(call: {
    toolName: string;
    toolArgs: ToolParameters;
    tool?: Tool;
    isTyped?: boolean;
  }): Promise<ToolCallJudgement> {
    const { judgeToolCall } = await import('@robota-sdk/agent-core/permissions');
    const lists = this.#lists();
    const mode = this.#options.getPermissionMode?.() ?? 'default';
    return judgeToolCall({
      ...call,
      mode: call.isTyped && mode === 'plan' ? 'default' : mode,
      lists,
    });
  }

  #lists(): PermissionLists {
    return this.#options.getPermissions?.() ?? {};
  }

  /** Undefined if approved. */
  async #askPerson(
    call: { toolName: string; toolArgs: ToolParameters; toolCallId: string; signal: AbortSignal },
    explanation: PermissionExplanation,
  ): Promise<RefusedCall | UpdatedCall | 'interrupted' | undefined> {
    const { toolName, toolArgs, toolCallId } = call;
    const signal = call.signal ?? NEVER_ABORTED;
    const isSettled = () => this.#grants.covers(toolName, toolArgs, this.#lists());
    if (await isSettled()) return undefined;
    const request = { toolCallId, explanation, signal, isSettled };
    const answer = await this.#approvals.ask(toolName, toolArgs, request);
    if (answer === 'interrupted') return answer;
    if (answer === 'nobody') return { deny: '', by: 'nobody' };
    return this.#applyAnswer(toolName, answer);
  }

  /** Stores a grant that outlives the call; anything but a clear yes is a no. */
  #applyAnswer(toolName: string, answer: PermissionResult): RefusedCall | UpdatedCall | undefined {
    if (answer === true) return undefined;
    if (answer === 'allow-session') {
      this.#grants.allowTool(toolName);
      return undefined;
    }
    if (typeof answer !== 'object' || answer === null) return REFUSED;
    if ('deny' in answer) return { ...REFUSED, deny: answer.deny };
    if (answer.allow === true) {
      return isParameters(answer.input) ? { input: answer.input } : REFUSED;
    }
    if (answer.allow !== 'session' && answer.allow !== 'project') return REFUSED;
    this.#grants.allowPattern(answer.pattern);
    if (answer.allow === 'project') this.#options.onProjectGrant?.(answer.pattern);
    return undefined;
  }

  #denyBy(call: GuardedCall, { reason, deniedBy = 'rule' }: PermissionExplanation): ToolOutcome {
    return this.#deny(call, { deny: reason, by: deniedBy });
  }

  #deny({ toolName, context }: GuardedCall, { deny, by }: RefusedCall): ToolOutcome {
    const error = deny === '' ? DENIED : `Permission denied. ${deny}`;
    const toolCallId = context.executionId;
    this.#log('tool_denied', { tool: toolName, toolCallId, reason: error });
    return { success: false, error, errorCode: 'denied', metadata: { deniedBy: by } };
  }

  async #run(
    { tool, toolName, toolArgs, context }: GuardedCall,
    grant: CallGrant,
  ): Promise<ToolOutcome> {
    const granted = withGrant({ ...context, parameters: toolArgs }, grant);
    const outcome = await tool.execute(toolArgs, granted);
    if (context.signal?.aborted) return outcome;
    const { data, truncated, characters } = truncateOutput(outcome.data);
    const { success } = outcome;
    const toolCallId = context.executionId;
    this.#log('tool_result', {
      tool: toolName,
      toolCallId,
      success,
      dataChars: characters,
      truncated,
    });
    return truncated ? { ...outcome, data } : outcome;
  }

  async #afterwards(call: GuardedCall, outcome: ToolOutcome): Promise<ToolOutcome> {
    const said = await this.#hooks.fire(
      'PostToolUse',
      {
        tool_name: call.toolName,
        tool_input: call.toolArgs,
        tool_use_id: call.context.executionId,
        tool_output: outcomeText(outcome),
        tool_response: outcome.data ?? outcome.error ?? null,
      },
      call.context.signal,
    );
    if (said.stop) this.#options.onStop?.(said.stop.reason);
    return withHookFeedback(outcome, said);
  }

  /** Only for direct users of this class: a session reports calls when their results are logged. */
  #reportEnd(call: GuardedCall, outcome: ToolOutcome, reported: ReportedCall): void {
    const { onToolExecution } = this.#options;
    if (!onToolExecution) return;
    const { toolName, context } = call;
    const toolArgs = reported.toolArgs ?? call.toolArgs;
    const toolCallId = context.executionId;
    if (!reported.isStarted) onToolExecution({ type: 'start', toolName, toolArgs, toolCallId });
    onToolExecution(endEvent({ ...call, toolArgs }, outcome));
  }

  #log(event: string, data: SessionLogData): void {
    void this.#options.log?.(event, data);
  }
}

/** What was reported about a call. */
interface ReportedCall {
  isStarted: boolean;
  toolArgs?: ToolParameters;
}

function isParameters(value: unknown): value is ToolParameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAborted({ context }: GuardedCall): boolean {
  return context.signal?.aborted === true;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function endEvent(call: GuardedCall, outcome: ToolOutcome): ToolExecutionEnd {
  const { toolName, toolArgs, context } = call;
  const { success, error, errorCode } = outcome;
  const isDenied = errorCode === 'denied' || errorCode === 'blocked';
  return {
    type: 'end',
    toolName,
    toolArgs,
    toolCallId: context.executionId,
    success,
    ...(isDenied && { denied: true }),
    ...(errorCode !== undefined && { errorCode }),
    ...(error !== undefined && { reason: error }),
    toolResultData: outcomeText(outcome),
  };
}

function outcomeText({ success, data, error }: ToolOutcome): string {
  if (data === undefined) return JSON.stringify({ success, output: '', ...(error && { error }) });
  return typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
}

function blocked(reason: string): ToolOutcome {
  const error = `Blocked by hook: ${reason}`;
  return { success: false, error, errorCode: 'blocked', metadata: { deniedBy: 'hook' } };
}
