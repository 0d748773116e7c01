import { randomUUID } from 'node:crypto';
import type { ToolParameters } from '@robota-sdk/agent-core';
import type { SessionLogData } from '../log/session-logger.ts';
import type { TerminalOutput } from '../terminal.ts';
import type {
  ApprovalPrompt,
  PermissionContext,
  PermissionHandler,
  PermissionResult,
} from './permission-result.ts';

export interface ApprovalsOptions {
  readonly terminal: TerminalOutput;
  readonly permissionHandler?: PermissionHandler | undefined;
  readonly promptForApproval?: ApprovalPrompt | undefined;
  readonly log?: ((event: string, data: SessionLogData) => void | Promise<void>) | undefined;
}

/** The answer, or why there is none: the run was aborted, or there is nobody to ask. */
type Asked = PermissionResult | 'interrupted' | 'nobody';

/** Asks the user, one question at a time, and stops waiting when the run is aborted. */
export class Approvals {
  readonly #options: ApprovalsOptions;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  /** `isSettled` is checked when the question's turn comes: an earlier answer may have covered it. */
  ask(
    toolName: string,
    toolArgs: ToolParameters,
    request: OpenQuestion & { readonly isSettled: () => Promise<boolean> },
  ): Promise<Asked> {
    const turn = this.#queue.then(async () => {
      const isSettled = await request.isSettled();
      if (request.signal.aborted) return 'interrupted' as const;
      if (isSettled) return true;
      return await this.#askAndLog(toolName, toolArgs, request);
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Logs the question once an approver waits for it, and logs how it ends in any case. */
  async #askAndLog(
    toolName: string,
    toolArgs: ToolParameters,
    request: OpenQuestion,
  ): Promise<Asked> {
    const requestId = randomUUID();
    let by: string | undefined;
    const asked = this.#ask(toolName, toolArgs, {
      ...request,
      requestId,
      answeredBy: (who) => {
        by = who;
      },
    });
    if (asked === undefined) return 'nobody';
    const { log = () => undefined } = this.#options;
    const { toolCallId, explanation } = request;
    // Awaited below: an answer may arrive before the question is on disk.
    const answer = untilAborted(Promise.resolve(asked), request.signal);
    await log('permission_request', { requestId, toolName, toolArgs, toolCallId, explanation });
    const settled = await answer.catch(async (error: unknown) => {
      await log('permission_resolved', { requestId, answer: false, by: 'error' });
      throw error;
    });
    const isAborted = settled === 'interrupted';
    const who = isAborted ? 'abort' : by;
    await log('permission_resolved', { requestId, answer: isAborted ? false : settled, by: who });
    return settled === false && by === 'nobody' ? 'nobody' : settled;
  }

  #ask(
    toolName: string,
    toolArgs: ToolParameters,
    request: PermissionContext,
  ): Promise<PermissionResult> | PermissionResult | undefined {
    const { permissionHandler, promptForApproval, terminal } = this.#options;
    if (permissionHandler) return permissionHandler(toolName, toolArgs, request);
    return promptForApproval?.(terminal, toolName, toolArgs);
  }
}

type OpenQuestion = Omit<PermissionContext, 'requestId' | 'answeredBy'>;

async function untilAborted(
  answer: Promise<PermissionResult>,
  signal: AbortSignal,
): Promise<PermissionResult | 'interrupted'> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<'interrupted'>((resolve) => {
    stop = () => resolve('interrupted');
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    // A late answer or failure is ignored after an abort.
    answer.catch(() => undefined);
  }
}
