import type { ToolParameters } from '@robota-sdk/agent-core';
import { diffOfEdit } from './edit-diff.ts';
import { firstArgumentOf, type ToolState } from './tool-state.ts';

/** A tool call that began or ended, as the session reports it. */
export interface ToolCallReport {
  readonly type: 'start' | 'end';
  readonly toolName: string;
  readonly toolCallId?: string | undefined;
  readonly toolArgs?: ToolParameters | undefined;
  readonly success?: boolean | undefined;
  readonly denied?: boolean | undefined;
  readonly errorCode?: string | undefined;
  readonly reason?: string | undefined;
  readonly toolResultData?: string | undefined;
}

const MAX_FINISHED = 50;

/** Knows the calls of the current turn: those that run and the last fifty that are done. */
export class ToolTracker {
  readonly #cwd: string;
  #states: ToolState[] = [];
  #finished: ToolState[] = [];

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  start(report: ToolCallReport): ToolState {
    const state: ToolState = {
      toolName: report.toolName,
      firstArg: firstArgumentOf(report.toolArgs ?? {}),
      isRunning: true,
      ...(report.toolCallId && { toolCallId: report.toolCallId }),
    };
    this.#states.push(state);
    return state;
  }

  end(report: ToolCallReport): ToolState {
    const index = this.#states.findIndex((state) => state.isRunning && isSameCall(state, report));
    const started = this.#states[index] ?? this.start(report);
    const ended: ToolState = { ...started, isRunning: false, ...this.#outcomeOf(report) };
    this.#states[index < 0 ? this.#states.length - 1 : index] = ended;
    this.#finished.push(ended);
    this.#forgetOldest();
    return ended;
  }

  /** Running and finished calls of the current turn, in the order they began. */
  active(): ToolState[] {
    return [...this.#states];
  }

  /** Every finished call of the current turn. */
  finished(): readonly ToolState[] {
    return this.#finished;
  }

  reset(): void {
    this.#states = [];
    this.#finished = [];
  }

  #outcomeOf(report: ToolCallReport): Partial<ToolState> {
    const result = resultOf(report);
    return {
      result,
      ...(result === 'success' &&
        diffOfEdit({
          toolName: report.toolName,
          toolArgs: report.toolArgs ?? {},
          toolResultData: report.toolResultData,
          cwd: this.#cwd,
        })),
      ...(report.toolResultData !== undefined && { toolResultData: report.toolResultData }),
      ...(report.errorCode && { errorCode: report.errorCode }),
      ...(report.reason && { reason: report.reason }),
    };
  }

  #forgetOldest(): void {
    if (this.#states.length <= MAX_FINISHED) return;
    const oldest = this.#states.findIndex((state) => !state.isRunning);
    if (oldest >= 0) this.#states.splice(oldest, 1);
  }
}

function isSameCall(state: ToolState, report: ToolCallReport): boolean {
  return report.toolCallId && state.toolCallId
    ? state.toolCallId === report.toolCallId
    : state.toolName === report.toolName;
}

function resultOf(report: ToolCallReport): NonNullable<ToolState['result']> {
  if (report.denied) return 'denied';
  return report.success && !reportsFailure(report.toolResultData) ? 'success' : 'error';
}

/** Tools answer expected failures inside a successful envelope. */
function reportsFailure(resultData: string | undefined): boolean {
  if (!resultData?.startsWith('{')) return false;
  try {
    return (JSON.parse(resultData) as { success?: unknown }).success === false;
  } catch {
    return false;
  }
}
