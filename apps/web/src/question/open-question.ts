import type { Question } from '@robota-sdk/agent-transcript';
import type { RemoteSessionState } from '@robota-sdk/agent-transport/react';

type AllowScope = 'allow-session' | 'allow-project';

/** A question as shown on the card, for sessions of any agent. */
export interface OpenQuestion
  extends Pick<Question, 'id' | 'toolName' | 'input' | 'fields' | 'explanation'> {
  /** The rule that would allow such calls in future. */
  readonly pattern?: string | undefined;
  /** Whether the call can be allowed beyond this once. */
  readonly allows: (scope: AllowScope) => boolean;
}

/** Other agents offer the scopes of their choices; only Robota has project rules. */
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
