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

/** Our own sessions offer every scope. */
export function questionOfRequest(request: RemoteSessionState['questions'][number]): OpenQuestion {
  const { requestId, toolName, toolArgs, explanation } = request;
  return {
    id: requestId,
    toolName,
    input: toolArgs,
    explanation: explanation?.reason,
    pattern: explanation?.suggestedPattern,
    allows: () => true,
  };
}

/** Other programs offer what their choices say, and never a lasting rule. */
export function questionOfAgent(question: Question): OpenQuestion {
  const { id, toolName, input, fields, explanation, choices } = question;
  return {
    id,
    toolName,
    input,
    fields,
    explanation,
    allows: (scope) => choices.some(({ answer }) => answer === scope),
  };
}
