import type { QuestionAnswer, QuestionChoice, QuestionField, QuestionKind } from '../question.ts';

/** A permission request of any agent program. */
export interface PermissionQuestion {
  readonly id: string;
  readonly toolName: string;
  /** The call that waits for the answer, if the program reports it. */
  readonly toolUseId?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly description?: string;
  /** The thread that asks: `main` or a subagent's id. */
  readonly conversationId: string;
  /** `permission` by default. */
  readonly kind?: QuestionKind | undefined;
  /** By default: yes, yes for the session, no. */
  readonly choices?: readonly QuestionChoice[] | undefined;
  readonly fields?: readonly QuestionField[] | undefined;
}

/** `allow-session` also allows the same from now on; `input` replaces the arguments, where the program supports it. */
export type AgentPermissionAnswer =
  | boolean
  | 'allow-session'
  | { readonly allow: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly deny: string };

/** Asks whoever decides on permissions. */
export type AskPermission = (
  question: PermissionQuestion,
  signal: AbortSignal,
) => AgentPermissionAnswer | Promise<AgentPermissionAnswer>;

/** Asks; a missing callback, an error and an abort become a denial with a reason. */
export async function askPermission(
  ask: AskPermission | undefined,
  question: PermissionQuestion,
  signal: AbortSignal,
): Promise<Exclude<AgentPermissionAnswer, boolean> | true> {
  if (ask === undefined) return { deny: NO_CALLBACK };
  if (signal.aborted) return { deny: INTERRUPTED };
  try {
    const answer = await Promise.race([ask(question, signal), denyOnAbort(signal)]);
    return answer === false ? { deny: DENIED } : answer;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { deny: `The question could not be answered: ${reason}` };
  }
}

/** An answer in the form drivers use: texts become part of the call's input. */
export function toPermissionAnswer(
  answer: QuestionAnswer,
  input: Readonly<Record<string, unknown>>,
): AgentPermissionAnswer {
  if (answer === 'allow') return true;
  if (answer === 'deny') return false;
  if (typeof answer !== 'object' || !('answers' in answer)) return answer;
  return { allow: true, input: { ...input, answers: answer.answers } };
}

function denyOnAbort(signal: AbortSignal): Promise<AgentPermissionAnswer> {
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

export const NO_CALLBACK = 'Nobody is there to allow this.';
const DENIED = 'The user does not want this to be done.';
const INTERRUPTED = 'The turn was interrupted.';
