import type { QuestionAnswer, QuestionChoice, QuestionField, QuestionKind } from '../question.ts';

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
  /** `permission` when left out. */
  readonly kind?: QuestionKind | undefined;
  /** Yes, for the session, and no when left out. */
  readonly choices?: readonly QuestionChoice[] | undefined;
  readonly fields?: readonly QuestionField[] | undefined;
}

/** `allow-session` also allows the same from now on; `input` replaces what was to be done, where the program takes it. */
export type PermissionAnswer =
  | boolean
  | 'allow-session'
  | { readonly allow: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly deny: string };

/** Puts an agent's question to whoever decides. */
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
  if (ask === undefined) return { deny: NOBODY };
  if (signal.aborted) return { deny: INTERRUPTED };
  try {
    const answer = await Promise.race([ask(question, signal), denyOnAbort(signal)]);
    return answer === false ? { deny: UNWANTED } : answer;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { deny: `The question could not be answered: ${reason}` };
  }
}

/** An answer as drivers understand it: words become a part of the call's input. */
export function toPermissionAnswer(
  answer: QuestionAnswer,
  input: Readonly<Record<string, unknown>>,
): PermissionAnswer {
  if (answer === 'allow') return true;
  if (answer === 'deny') return false;
  if (typeof answer !== 'object' || !('answers' in answer)) return answer;
  return { allow: true, input: { ...input, answers: answer.answers } };
}

function denyOnAbort(signal: AbortSignal): Promise<PermissionAnswer> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ deny: INTERRUPTED }), { once: true });
  });
}

export const ALLOW_ONCE: QuestionChoice = { answer: 'allow', label: 'Yes' };
export const ALLOW_FOR_SESSION: QuestionChoice = {
  answer: 'allow-session',
  label: 'Yes, and do not ask again in this session',
};
export const DENY: QuestionChoice = { answer: 'deny', label: 'No' };

export const NOBODY = 'Nobody is there to allow this.';
const UNWANTED = 'The user does not want this to be done.';
const INTERRUPTED = 'The turn was interrupted.';
