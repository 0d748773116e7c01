import {
  type CallGrant,
  judgeToolCall,
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
  /** Asked for every call; `default` where it is left out. */
  readonly getPermissionMode?: (() => PermissionMode) | undefined;
  readonly getPermissions?: (() => PermissionLists) | undefined;
  readonly hooks?: LifecycleHooks | undefined;
  readonly onToolExecution?: ToolExecutionCallback | undefined;
  readonly onProjectGrant?: ((pattern: string) => void) | undefined;
  /** A hook asked for the whole run to stop. */
  readonly onStop?: ((reason: string) => void) | undefined;
}

/** One call on its way through the gate. */
interface GuardedCall {
  readonly tool: Tool;
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  readonly context: ToolExecutionContext;
  /** A person typed it: nobody is asked what they just said, unless a rule wants it. */
  readonly isTyped?: boolean;
}

/** What a call that may run is run with. */
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

/** Decides whether a tool may run, asks where a person has to decide, and turns every end into a result. */
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

  /** The same tool behind the gate; executing it never rejects. */
  wrapToolWithPermission(tool: Tool): Tool {
    this.#tools.set(tool.schema.name, tool);
    const execute = (parameters: ToolParameters, context: ToolExecutionContext) =>
      this.#execute({ tool, toolName: tool.schema.name, toolArgs: parameters, context });
    return guardedTool(tool, execute);
  }

  /**
   * A call that a person typed. Rules and hooks hold; a mode that binds the agent does not, and where only the mode
   * would ask, typing was the answer.
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

  /** True when the call may run: by rule, by an earlier grant, or because a person says so now. */
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

  /** False when nobody had allowed it. */
  revokeSessionGrant(grant: string): boolean {
    return this.#grants.revoke(grant);
  }

  async #execute(call: GuardedCall): Promise<ToolOutcome> {
    const told: ToldCall = { isStarted: false };
    let outcome: ToolOutcome;
    try {
      outcome = await this.#guard(call, told);
    } catch (error) {
      outcome = { success: false, error: messageOf(error), errorCode: 'tool_error' };
    }
    // Whoever aborted has been told of the end already; what comes later concerns nobody. A hook that stops the run
    // aborts it, too, and its own word stands.
    if (isAborted(call) && !outcome.success && outcome.errorCode !== 'blocked') {
      outcome = INTERRUPTED;
    }
    this.#tellEnd(call, outcome, told);
    return outcome;
  }

  async #guard(call: GuardedCall, told: ToldCall): Promise<ToolOutcome> {
    const { toolName, toolArgs: given, context } = call;
    const before = await this.#hooks.fire(
      'PreToolUse',
      { tool_name: toolName, tool_input: given, tool_use_id: context.executionId },
      context.signal,
    );
    const updated = { ...call, toolArgs: before.updatedInput ?? given };
    told.toolArgs = updated.toolArgs;
    if (before.stop) this.#options.onStop?.(before.stop.reason);
    if (before.blocked || before.permissionDecision === 'deny') {
      const reason = before.reason ?? before.permissionDecisionReason ?? 'no reason given';
      this.#log('tool_blocked', { tool: toolName, toolCallId: context.executionId, reason });
      return blocked(reason);
    }
    const admitted = await this.#admit(updated, before.permissionDecision);
    if ('success' in admitted) return admitted;
    const approved = { ...updated, toolArgs: admitted.toolArgs };
    told.toolArgs = approved.toolArgs;
    await this.#begin(approved, told);
    if (isAborted(call)) return INTERRUPTED;
    const outcome = await this.#run(approved, admitted.grant);
    return isAborted(call) ? outcome : await this.#afterwards(approved, outcome);
  }

  /** In the log before the tool runs: a call without this certainly did not. */
  async #begin(call: GuardedCall, told: ToldCall): Promise<void> {
    const { toolName, toolArgs, context } = call;
    const toolCallId = context.executionId;
    await this.#options.log?.('tool_call', { tool: toolName, toolCallId, input: toolArgs });
    told.isStarted = true;
    this.#options.onToolExecution?.({ type: 'start', toolName, toolArgs, toolCallId });
  }

  /** The outcome of a call that may not run, or with what a call that may runs. */
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
    // A person was asked about the text as it was given: that is what runs.
    if (answer === undefined) return { grant: { ...grant, run: undefined }, toolArgs };
    if (answer === 'interrupted') return INTERRUPTED;
    return 'deny' in answer ? this.#deny(call, answer) : this.#admitOther(call, answer);
  }

  /** What somebody wrote in place of the model's parameters runs as they wrote it, unless a rule denies it. */
  async #admitOther(
    call: GuardedCall,
    { input }: UpdatedCall,
  ): Promise<ToolOutcome | AdmittedCall> {
    const toolArgs = toOurSpelling(call.toolName, input);
    const { explanation, grant } = await this.#judge({ ...call, toolArgs });
    if (explanation.decision === 'deny') return this.#denyBy(call, explanation);
    return { grant: { ...grant, run: undefined }, toolArgs };
  }

  #judge(call: {
    toolName: string;
    toolArgs: ToolParameters;
    tool?: Tool;
    isTyped?: boolean;
  }): Promise<ToolCallJudgement> {
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

  /** Undefined means yes. */
  async #askPerson(
    call: { toolName: string; toolArgs: ToolParameters; toolCallId: string; signal: AbortSignal },
    explanation: PermissionExplanation,
  ): Promise<RefusedCall | UpdatedCall | 'interrupted' | undefined> {
    const { toolName, toolArgs, toolCallId } = call;
    const signal = call.signal ?? NEVER_ABORTED;
    const isSettled = () => this.#grants.covers(toolName, toolArgs, this.#lists());
    if (isSettled()) return undefined;
    const request = { toolCallId, explanation, signal, isSettled };
    const answer = await this.#approvals.ask(toolName, toolArgs, request);
    if (answer === 'interrupted') return answer;
    if (answer === 'nobody') return { deny: '', by: 'nobody' };
    return this.#heed(toolName, answer);
  }

  /** Keeps a grant that outlives the call; whatever is no clear yes is a no. */
  #heed(toolName: string, answer: PermissionResult): RefusedCall | UpdatedCall | undefined {
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

  /** For users of this class alone: a session tells of calls when their results are in its log. */
  #tellEnd(call: GuardedCall, outcome: ToolOutcome, told: ToldCall): void {
    const { onToolExecution } = this.#options;
    if (!onToolExecution) return;
    const { toolName, context } = call;
    const toolArgs = told.toolArgs ?? call.toolArgs;
    const toolCallId = context.executionId;
    if (!told.isStarted) onToolExecution({ type: 'start', toolName, toolArgs, toolCallId });
    onToolExecution(endEvent({ ...call, toolArgs }, outcome));
  }

  #log(event: string, data: SessionLogData): void {
    void this.#options.log?.(event, data);
  }
}

/** What listeners have been told of a call. */
interface ToldCall {
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
