import type { ExecutionResult, SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { ResultEvent, TurnResult } from '../protocol.ts';
import { RemoteError } from './remote-error.ts';

/** The outcome of a prompt; a failed turn is an outcome too, as in a local session. */
export function outcomeOf(event: ResultEvent): SubmitOutcome {
  const { status, turn, result } = event;
  if ((status === 'completed' || status === 'interrupted') && turn) {
    return { status, result: resultOf(turn) };
  }
  if (status === 'superseded') return { status };
  if (status === 'refused') return { status, reason: result };
  const error = new RemoteError(event.error_code ?? 'error', result);
  return { status: 'failed', error, endedBy: 'error' };
}

/** The history is not sent; the blocks contain it. */
export function resultOf(turn: TurnResult): ExecutionResult {
  return { ...turn, history: [] };
}
