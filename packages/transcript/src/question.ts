/** Something an agent waits for a person to decide. Answered once, by whoever is first. */
export interface Question {
  readonly id: string;
  readonly kind: QuestionKind;
  /** The call that waits for the answer; its block has been told before the question. */
  readonly toolCallId?: string | undefined;
  /** The thread that asks: `main` or a subagent's. */
  readonly conversationId: string;
  readonly toolName: string;
  /** What the tool is to be called with. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What can be answered without further words. */
  readonly choices: readonly QuestionChoice[];
  /** What is to be filled in or chosen, of a `choice` or `form`. */
  readonly fields?: readonly QuestionField[] | undefined;
  /** Why it is asked. */
  readonly explanation?: string | undefined;
}

/** `plan`: may what was planned be done? `choice` and `form` want words, not only a yes. */
export type QuestionKind = 'permission' | 'choice' | 'plan' | 'form';

/** An answer that a question offers. */
export interface QuestionChoice {
  readonly answer: 'allow' | 'allow-session' | 'deny';
  readonly label: string;
}

/** Something a question asks for by name. */
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
 * `allow-session` also allows the same for the rest of the session, never longer. `input` replaces what was to be
 * done, where the program takes it; `answers` are the words for each field, by its name.
 */
export type QuestionAnswer =
  | boolean
  | 'allow'
  | 'allow-session'
  | 'deny'
  | { readonly allow: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly deny: string }
  | { readonly answers: Readonly<Record<string, string>> };
