/** A decision an agent needs from the user. The first answer counts. */
export interface Question {
  readonly id: string;
  readonly kind: QuestionKind;
  /** The call that waits for the answer; its block is emitted before the question. */
  readonly toolCallId?: string | undefined;
  /** The thread that asks: `main` or a subagent's id. */
  readonly conversationId: string;
  readonly toolName: string;
  /** The arguments of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Answers that need no further input. */
  readonly choices: readonly QuestionChoice[];
  /** Fields to fill in or choose from, for `choice` and `form`. */
  readonly fields?: readonly QuestionField[] | undefined;
  /** Why it is asked. */
  readonly explanation?: string | undefined;
}

/** `plan` asks to approve a plan. `choice` and `form` need input, not only a yes. */
export type QuestionKind = 'permission' | 'choice' | 'plan' | 'form';

/** A predefined answer. */
export interface QuestionChoice {
  readonly answer: 'allow' | 'allow-session' | 'deny';
  readonly label: string;
}

/** One input of a question. */
export interface QuestionField {
  /** The key of the answer. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly {
    readonly label: string;
    readonly description?: string | undefined;
  }[];
  readonly isMultiple: boolean;
}

/**
 * `allow-session` also allows the same for the rest of the session, never longer. `input` replaces the call's
 * arguments, where the program supports it; `answers` holds the text for each field, by name.
 */
export type QuestionAnswer =
  | boolean
  | 'allow'
  | 'allow-session'
  | 'deny'
  | { readonly allow: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly deny: string }
  | { readonly answers: Readonly<Record<string, string>> };
