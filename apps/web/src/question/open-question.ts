import type { Question } from '@robota-sdk/agent-transcript';
import type { RemoteSessionState } from '@robota-sdk/agent-transport/react';

type AllowScope = 'allow-session' | 'allow-project';

/** A question as the card shows it, whichever session asks. */
export interface OpenQuestion
  extends Pick<Question, 'id' | 'toolName' | 'input' | 'fields' | 'explanation'> {
  /** The rule that would allow the same in future. */
  readonly pattern?: string | undefined;
  /** Whether the call may be allowed for longer than once. */
  readonly allows: (scope: AllowScope) => boolean;
}

/** Agents offer what their choices say; a lasting rule is our own engine's alone. */
export function openQuestion(question: RemoteSessionState['questions'][number]): OpenQuestion {
  const { id, toolName, input, fields, explanation, choices, pattern } = question;
  return {
    id,
    toolName,
    input,
    fields,
    explanation,
    pattern,
    allows: (scope) => choices.some(({ answer }) => answer === scope),
  };
}
