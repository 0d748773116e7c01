import type { Question, QuestionAnswer, QuestionChoice } from '@robota-sdk/agent-transcript';

/** A question of any agent. Rules that last, for a pattern or a project, exist for our own engine alone. */
export interface LiveQuestion extends Omit<Question, 'choices'> {
  readonly choices: readonly LiveChoice[];
  /** A rule that would allow the call in future. */
  readonly pattern?: string | undefined;
}

/** An answer that a question offers. */
export interface LiveChoice extends Omit<QuestionChoice, 'answer'> {
  readonly answer: QuestionChoice['answer'] | 'allow-project';
}

/** `pattern` says which calls are allowed from now on; where an agent has no such rules it allows this call. */
export type LiveAnswer =
  | QuestionAnswer
  | 'allow-project'
  | { readonly allow: 'session' | 'project'; readonly pattern: string };

/** How a question was settled. */
export interface LiveResolution {
  readonly id: string;
  /** `expired`: the turn ended before anybody answered. */
  readonly how: 'answered' | 'expired';
  readonly answer?: LiveAnswer | undefined;
  /** Who or what gave the answer, where that is known. */
  readonly by?: string | undefined;
}
