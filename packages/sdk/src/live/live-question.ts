import type { Question, QuestionAnswer, QuestionChoice } from '@robota-sdk/agent-transcript';

/** A question of any agent. Only our own engine has lasting rules, for a pattern or a project. */
export interface LiveQuestion extends Omit<Question, 'choices'> {
  readonly choices: readonly LiveChoice[];
  /** A rule that would allow the call in future. */
  readonly pattern?: string | undefined;
}

/** An answer that a question offers. */
export interface LiveChoice extends Omit<QuestionChoice, 'answer'> {
  readonly answer: QuestionChoice['answer'] | 'allow-project';
}

/** `pattern` selects the calls allowed from now on; an agent without such rules allows only this call. */
export type LiveAnswer =
  | QuestionAnswer
  | 'allow-project'
  | { readonly allow: 'session' | 'project'; readonly pattern: string };

/** How a question was settled. */
export interface LiveResolution {
  readonly id: string;
  /** `expired`: the turn ended before an answer came. */
  readonly how: 'answered' | 'expired';
  readonly answer?: LiveAnswer | undefined;
  /** Who or what gave the answer, if known. */
  readonly by?: string | undefined;
}
