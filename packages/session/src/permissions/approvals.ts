import type { ToolParameters } from '@robota-sdk/agent-core';
import type { TerminalOutput } from '../terminal.ts';
import type {
  ApprovalPrompt,
  PermissionHandler,
  PermissionRequest,
  PermissionResult,
} from './permission-result.ts';

export interface ApprovalsOptions {
  readonly terminal: TerminalOutput;
  readonly permissionHandler?: PermissionHandler | undefined;
  readonly promptForApproval?: ApprovalPrompt | undefined;
}

/** Nobody is there to ask. */
const NOBODY: PermissionResult = false;

/** Asks a person, one question at a time, and stops waiting when the run is aborted. */
export class Approvals {
  readonly #options: ApprovalsOptions;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  /** `isSettled` is looked at when the question's turn comes: an earlier answer may have covered it. */
  ask(
    toolName: string,
    toolArgs: ToolParameters,
    request: PermissionRequest & { readonly isSettled: () => boolean },
  ): Promise<PermissionResult | 'interrupted'> {
    const turn = this.#queue.then(async () => {
      if (request.signal.aborted) return 'interrupted' as const;
      if (request.isSettled()) return true;
      return await untilAborted(this.#put(toolName, toolArgs, request), request.signal);
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #put(
    toolName: string,
    toolArgs: ToolParameters,
    request: PermissionRequest,
  ): Promise<PermissionResult> {
    const { permissionHandler, promptForApproval, terminal } = this.#options;
    if (permissionHandler) return await permissionHandler(toolName, toolArgs, request);
    if (promptForApproval) return await promptForApproval(terminal, toolName, toolArgs);
    return NOBODY;
  }
}

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
    // An answer after the abort, or a failure to give one, concerns nobody any more.
    answer.catch(() => undefined);
  }
}
