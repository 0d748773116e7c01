/** May the agent do this? Asked through one callback, whichever program asks. */
export interface PermissionQuestion {
  readonly id: string;
  readonly toolName: string;
  /** The call that waits for the answer, where the program says it. */
  readonly toolUseId?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly description?: string;
  /** The thread that asks: `main` or a subagent's. */
  readonly conversationId: string;
}

/** `allow-session` also allows the same from now on; `input` replaces what was to be done, where the program takes it. */
export type PermissionAnswer =
  | boolean
  | 'allow-session'
  | { readonly allow: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly deny: string };

export type AskPermission = (
  question: PermissionQuestion,
  signal: AbortSignal,
) => PermissionAnswer | Promise<PermissionAnswer>;

/** Asks, and takes nobody, an error and an abort for a no that says why. */
export async function askPermission(
  ask: AskPermission | undefined,
  question: PermissionQuestion,
  signal: AbortSignal,
): Promise<Exclude<PermissionAnswer, boolean> | true> {
  if (ask === undefined) return { deny: 'Nobody is there to allow this.' };
  if (signal.aborted) return { deny: INTERRUPTED };
  try {
    const answer = await Promise.race([ask(question, signal), denyOnAbort(signal)]);
    return answer === false ? { deny: 'The user does not want this to be done.' } : answer;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { deny: `The question could not be answered: ${reason}` };
  }
}

function denyOnAbort(signal: AbortSignal): Promise<PermissionAnswer> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ deny: INTERRUPTED }), { once: true });
  });
}

const INTERRUPTED = 'The turn was interrupted.';
