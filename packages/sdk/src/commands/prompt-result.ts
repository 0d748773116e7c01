import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { CommandResult } from './system-command.ts';

/** The result of a command that submitted a prompt. Surfaces have already shown the answer. */
export function promptResult(outcome: SubmitOutcome): CommandResult {
  const { status } = outcome;
  if ('result' in outcome) {
    const data = { status, isShown: true };
    return { success: status === 'completed', message: outcome.result.response, data };
  }
  const data = { status };
  const message =
    outcome.status === 'failed' ? outcome.error.message : 'The prompt was not put to the model.';
  return { success: false, message, data };
}
